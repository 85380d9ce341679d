import { type Static, Type } from "@sinclair/typebox"
import type { ReplyOf, RequestOf } from "./bus/operation"
import type { Database, Transaction } from "./db/database"
import { feedsOf } from "./feeds/feed"
import { readFeedRows } from "./feeds/read-feed-rows"
import { Id, Nullable, OneOf, Time } from "./fields"
import { currentContext } from "./request-context"

/**
 * A change as it goes into the audit log. `action` is noun.verb, and the noun says what has the
 * `subject_id`. `details` are the fields that changed, as they are now: no token, no password and
 * no e-mail address, for the log is kept for good. Null: nothing has changed after all.
 */
type Change = {
  workspace_id?: number // where it is known: identity finds it by the program
  program_id?: number // absent: it is of the workspace
  action: `${string}.${string}`
  subject_id: number
  details: object | null
}

/** A change, and who asked for it. It can be kept as JSON until the change comes about. */
export type Entry = ReturnType<typeof entryOf>

/** Who is on this errand has asked for this change, unless it says who else has. */
export function entryOf(change: Change & { details: object }, actor = currentContext().actor) {
  return {
    ...change,
    subject_type: change.action.split(".")[0] as string,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_address: actor.address,
    request_id: currentContext().request_id,
  }
}

/** Writes a change into the audit log, within the transaction that makes it. */
export async function recordChange(
  sql: Transaction,
  { details, ...change }: Change,
  actor = currentContext().actor,
) {
  if (details) await recordEntry(sql, entryOf({ details, ...change }, actor))
}

export async function recordEntry(sql: Transaction, { details, ...entry }: Entry) {
  await sql`insert into audit_entries ${sql({ ...entry, details: sql.json(details as never) })}`
}

/** The fields of `after` that were different before. Null: there are none. */
export function differences(before: object, after: object): object | null {
  const old = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, old.get(name)))
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

const isSame = (one: unknown, other: unknown) => Bun.deepEquals(one, other, true)

// The entries of a service, for identity, which shows those of all.

export const ActorKind = OneOf("user", "key", "none", "system")

export const EntryRow = Type.Object({
  entry_key: Type.String(), // a UUID: an id comes again when a backup is restored
  program_id: Id,
  actor_kind: ActorKind,
  actor_id: Nullable(Id),
  actor_address: Nullable(Type.String()),
  action: Type.String(),
  subject_type: Type.String(),
  subject_id: Id,
  details: Type.Unknown(),
  request_id: Type.String(),
  at: Time,
})
export type EntryRow = Static<typeof EntryRow>

/** More of a service's entries (lib/feeds/feed.ts). */
export const entriesOf = (service: string) =>
  feedsOf(`${service}.audit_entry.feed`, { entries: EntryRow })
type Entries = ReturnType<typeof entriesOf>

export function readEntries(sql: Database, asked: RequestOf<Entries>) {
  const columns = sql`
    entry_key, program_id, actor_kind, actor_id, actor_address, action, subject_type, subject_id,
    details, request_id, at
  `
  return readFeedRows<ReplyOf<Entries>>(
    sql,
    { entries: { table: "audit_entries", columns } },
    asked,
  )
}
