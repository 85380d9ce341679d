import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { retryOnSilence } from "../../../lib/retry"
import * as commissions from "../../commissions/contract"
import * as tracking from "../../tracking/contract"
import { sql } from "../db"
import type { Settings } from "./settings"

/** The settings that a program is to have from `version` on. Version 1 makes it, 2 shows it. */
export type Change = {
  program_id: number
  workspace_id: number
  version: number
  settings: Settings
}

/**
 * Brings a change to its end: told to those who act on it, then applied here. Throws "conflict"
 * if it is refused, and then nothing has changed; "unavailable" if nobody knows yet.
 *
 * Every step may be repeated, by whoever comes by: the program's next change, which waits for
 * this one, or the sweeper. So wherever a process dies, all parts end with the same settings.
 * No version is used twice, not even after a refusal, since the others ignore what they know.
 */
export async function carryOut(change: Change) {
  const refusal = await tell(change).catch(inDoubt)
  const accept = change.version === 1 ? decide : apply
  const end = () => (refusal ? refuse(change, refusal) : accept(change))
  await end()
    .catch(end) // the first may have been committed unheard: the second does no harm
    .catch(inDoubt)
  await requireApplied(change).catch(inDoubt)
}

/** Brings the open change of a program to its end, whichever that is. */
export async function carryOutOpen(program_id: number) {
  const [change] = await sql<[Change?]>`
    select program_id, workspace_id, program_changes.version, settings
    from program_changes
    join programs on programs.id = program_id
    where program_id = ${program_id} and state = 'open'
  `
  if (change) await carryOut(change).catch(unlessRefused)
}

/** A refusal is an end as well. */
export function unlessRefused(error: unknown) {
  if (!isConflict(error)) throw error
}

/** Whatever else went wrong: the change is stored, and may still come about. */
function inDoubt(cause: unknown): never {
  if (isConflict(cause)) throw cause
  throw new Fault("unavailable", "The change is not confirmed yet: try again.", cause)
}

/**
 * Tracking comes first: it alone may refuse (the currency is fixed once a sale exists), and then
 * commissions has not heard of the change. A program that may yet be undone is told as archived:
 * nobody can do anything with it. Returns the refusal.
 */
async function tell({ program_id, workspace_id, version, settings }: Change) {
  const news = { program_id, workspace_id, version, ...settings }
  if (version === 1) news.status = "archived"
  const refusal = await retryOnSilence(() => call(tracking.putProgram, news)).then(
    () => null,
    refusalIn,
  )
  if (!refusal) await retryOnSilence(() => call(commissions.putProgram, news))
  return refusal
}

function refusalIn(error: unknown): string {
  if (isConflict(error)) return error.message
  throw error
}

/** From here on a program is made for sure, by the change that opens it to others and shows it. */
const decide = ({ program_id }: Change) => sql`
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
    settings || '{"commission": null}', -- commissions has its policy
    entry
  from decided
`

/** One statement, one transaction. Of several that try, the first to lock the change does it. */
const apply = ({ program_id, version }: Change) => sql`
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
        lead_auth text
      )
    where programs.id = applied.program_id
    returning programs.id, programs.slug
  )
  delete from program_slugs
  using changed
  where program_slugs.program_id = changed.id and program_slugs.slug <> changed.slug
`

/** The same with nothing to change but the version, which is used up. */
const refuse = ({ program_id, version }: Change, refusal: string) => sql`
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

/** What came of it may have been decided by somebody who was faster. */
async function requireApplied({ program_id, version }: Change) {
  const [change] = await sql<[{ refusal: string | null }?]>`
    select refusal
    from program_changes
    where (program_id, version) = (${program_id}, ${version}) and state <> 'open'
  `
  if (!change) throw new Error("The creation of a program took so long that it was undone.")
  if (change.refusal) throw new Fault("conflict", change.refusal)
}

const isConflict = (error: unknown): error is Fault =>
  error instanceof Fault && error.kind === "conflict"
