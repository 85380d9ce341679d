import { call } from "../../../lib/bus/bus"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import * as commissions from "../../commissions/contract"
import * as tracking from "../../tracking/contract"
import { sql } from "../db"
import { lockShownProgram, recordProgramEvent } from "./program-events"
import type { Settings } from "./settings"

/** The settings of a program from `version` on. Version 1 creates it, version 2 shows it. */
export type Change = {
  program_id: number
  workspace_id: number
  version: number
  settings: Settings
}

/**
 * Completes a change: sends it to the services that act on it, then applies it here. Throws
 * "conflict" if it is refused, and then nothing has changed; "unavailable" if the outcome is
 * unknown.
 *
 * Every step is safe to repeat, by the program's next change, which waits for this one, or by the
 * sweeper. So wherever a process dies, all services end with the same settings. No version is used
 * twice, not even after a refusal, because the other services ignore versions that they know.
 */
export async function completeChange(change: Change) {
  const refusal = await sendChange(change).catch(throwUnconfirmed)
  const accept = change.version === 1 ? finalizeCreation : applyChange
  const conclude = (): Promise<unknown> =>
    refusal ? refuseChange(change, refusal) : accept(change)
  await conclude()
    .catch(conclude) // the first try may have been committed: repeating it does no harm
    .catch(throwUnconfirmed)
  await requireApplied(change).catch(throwUnconfirmed)
}

/** Completes the open change of a program, if any. A refusal completes it as well. */
export async function completeOpenChange(program_id: number) {
  const [change] = await sql<[Change?]>`
    select program_id, workspace_id, program_changes.version, settings
    from program_changes
    join programs on programs.id = program_id
    where program_id = ${program_id} and state = 'open'
  `
  if (change) await completeChange(change).catch(ignoreRefusal)
}

/** Ignores a "conflict": a refused change is complete as well. */
export function ignoreRefusal(error: unknown) {
  if (!isConflict(error)) throw error
}

/** Throws "unavailable" for all but a refusal: the change is stored and may still be applied. */
function throwUnconfirmed(cause: unknown): never {
  if (isConflict(cause)) throw cause
  throw new Fault("unavailable", "The change is not confirmed yet: try again.", cause)
}

/**
 * Sends a change to tracking first: only tracking may refuse it (the currency is fixed once a sale
 * exists), and commissions then never receives it. Version 1, which may yet be undone, is sent as
 * archived, so that the program cannot be used. Returns the refusal, or null.
 */
async function sendChange({ program_id, workspace_id, version, settings }: Change) {
  const message = { program_id, workspace_id, version, ...settings }
  if (version === 1) message.status = "archived"
  const refusal = await retryOnSilence(() => call(tracking.putProgram, message)).then(
    () => null,
    refusalIn,
  )
  if (!refusal) await retryOnSilence(() => call(commissions.putProgram, message))
  return refusal
}

function refusalIn(error: unknown): string {
  if (isConflict(error)) return error.message
  throw error
}

/** Makes a creation final: adds the change that makes the program usable and visible. */
const finalizeCreation = ({ program_id }: Change) => sql`
  with decided as (
    update program_changes
    set state = 'applied'
    where (program_id, version) = (${program_id}, 1) and state = 'open'
    returning program_id, settings, entry
  )
  insert into program_changes (program_id, version, settings, entry)
  select
    program_id,
    2,
    settings || '{"commission": null}', -- commissions already has the policy
    entry
  from decided
`

/** Applies a change. Of concurrent attempts, only the first to lock it does. */
const applyChange = (change: Change) =>
  sql.begin(async sql => {
    const { program_id, version } = change
    await sql`
      select 1
      from program_changes
      where (program_id, version) = (${program_id}, ${version})
      for no key update
    `
    const before = await lockShownProgram(sql, program_id)
    await storeChange(sql, change)
    if (before) await recordProgramEvent(sql, before)
  })

const storeChange = (sql: Transaction, { program_id, version }: Change) => sql`
  with applied as (
    update program_changes
    set state = 'applied'
    where (program_id, version) = (${program_id}, ${version}) and state = 'open'
    returning program_id, version, settings, entry
  ),
  recorded as (
    insert into audit_entries (
      workspace_id, program_id, actor_kind, actor_id, actor_address,
      action, subject_type, subject_id, details, request_id
    )
    select
      entry.workspace_id, entry.program_id, entry.actor_kind, entry.actor_id, entry.actor_address,
      entry.action, entry.subject_type, entry.subject_id, entry.details, entry.request_id
    from applied, jsonb_populate_record(null::audit_entries, applied.entry) as entry
    where applied.entry is not null
  ),
  changed as (
    update programs
    set
      version = applied.version,
      name = settings.name,
      slug = settings.slug,
      website_url = settings.website_url,
      status = settings.status,
      currency = settings.currency,
      attribution_model = settings.attribution_model,
      cookie_window_days = settings.cookie_window_days,
      lead_auth = settings.lead_auth,
      -- a change of an older version does not have it
      share_sale_amount = coalesce(settings.share_sale_amount, programs.share_sale_amount),
      updated_at = now()
    from
      applied,
      jsonb_to_record(applied.settings) as settings (
        name text,
        slug text,
        website_url text,
        status text,
        currency text,
        attribution_model text,
        cookie_window_days int,
        lead_auth text,
        share_sale_amount boolean
      )
    where programs.id = applied.program_id
    returning programs.id, programs.slug
  )
  delete from program_slugs
  using changed
  where program_slugs.program_id = changed.id and program_slugs.slug <> changed.slug
`

/** Marks a change as refused. Only the version of the program advances: it is used up. */
const refuseChange = ({ program_id, version }: Change, refusal: string) => sql`
  with refused as (
    update program_changes
    set state = 'refused', refusal = ${refusal}
    where (program_id, version) = (${program_id}, ${version}) and state = 'open'
    returning program_id, version
  ),
  kept as (
    update programs
    set version = refused.version
    from refused
    where programs.id = refused.program_id
    returning programs.id, programs.slug
  )
  delete from program_slugs
  using kept
  where program_slugs.program_id = kept.id and program_slugs.slug <> kept.slug
`

/** Checks the outcome, which a concurrent attempt may have decided. Throws "conflict". */
async function requireApplied({ program_id, version }: Change) {
  const [change] = await sql<[{ refusal: string | null }?]>`
    select refusal
    from program_changes
    where (program_id, version) = (${program_id}, ${version}) and state <> 'open'
  `
  if (!change) throw new Error("Creating the program took so long that the sweeper undid it.")
  if (change.refusal) throw new Fault("conflict", change.refusal)
}

const isConflict = (error: unknown): error is Fault =>
  error instanceof Fault && error.kind === "conflict"
