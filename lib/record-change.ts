import { type Static, Type } from "@sinclair/typebox"
import type { OwnedEntry } from "./books"
import type { ReplyOf, RequestOf } from "./bus/operation"
import type { Database, Transaction } from "./db/database"
import { feedsOf } from "./feeds/feed"
import { readFeedRows } from "./feeds/read-feed-rows"
import { Id, Nullable, OneOf, Time } from "./fields"
import { currentContext } from "./request-context"

/**
 * A change for the audit log (behaviour 2.14). `action` is noun.verb; `subject_id` is an id of that
 * noun. `details` are the changed fields with their new values, without tokens, passwords and
 * e-mail addresses, because the log is kept forever. `details` null: nothing changed.
 */
type Change = {
  workspace_id?: number // absent: that of the program
  program_id?: number // absent: a change of the workspace
  action: `${string}.${string}`
  subject_id: number
  details: object | null
}

/** An audit entry: a change and its actor. It can be stored as JSON if the change is made later. */
export type Entry = ReturnType<typeof entryOf>

/** The actor of what a partner does: the program does not learn who the person is (behaviour 2.13). */
export const NO_ACTOR = { kind: "none", id: null, address: null } as const

/** Creates the audit entry of a change. The actor defaults to that of the current request. */
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

/** Records a change in the audit log, in the transaction that makes the change. */
export async function recordChange(
  sql: Transaction,
  { details, ...change }: Change,
  actor = currentContext().actor,
) {
  if (details) await recordEntry(sql, entryOf({ details, ...change }, actor))
}

/** Stores an audit entry. */
export async function recordEntry(sql: Transaction, { details, ...entry }: Entry) {
  await sql`insert into audit_entries ${sql({ ...entry, details: sql.json(details as never) })}`
}

/** Returns the fields of `after` that differ from `before`. Null: none do. */
export function differences(before: object, after: object): object | null {
  const old = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, old.get(name)))
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

const isSame = (one: unknown, other: unknown) => Bun.deepEquals(one, other, true)

export const ActorKind = OneOf("user", "key", "none", "system")

export const EntryRow = Type.Object({
  entry_key: Type.String(), // a UUID: ids repeat after a backup is restored
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

/** An entry that may be of a workspace, without a program. */
export const WorkspaceEntryRow = Type.Composite([
  Type.Omit(EntryRow, ["program_id"]),
  Type.Object({ workspace_id: Id, program_id: Nullable(Id) }),
])
export type WorkspaceEntryRow = Static<typeof WorkspaceEntryRow>

/** The feed of a service's audit entries. Identity reads it to show all services' entries. */
export const entriesOf = (service: string) =>
  feedsOf(`${service}.audit_entry.feed`, { entries: EntryRow })
type Entries = ReturnType<typeof entriesOf>

/** The feed of a service's audit entries, which name their workspace. */
export const workspaceEntriesOf = (service: string) =>
  feedsOf(`${service}.audit_entry.feed`, { entries: WorkspaceEntryRow })
type WorkspaceEntries = ReturnType<typeof workspaceEntriesOf>

/** Reads the feed of the audit entries in this database. */
export function readEntries(sql: Database, request: RequestOf<Entries>) {
  const columns = sql`entry_key, ${contentOf(sql)}`
  return readFeedRows<ReplyOf<Entries>>(
    sql,
    { entries: { table: "audit_entries", columns } },
    request,
  )
}

/** Reads the feed of the audit entries in this database, which name their workspace. */
export function readWorkspaceEntries(sql: Database, request: RequestOf<WorkspaceEntries>) {
  const columns = sql`entry_key, workspace_id, ${contentOf(sql)}`
  return readFeedRows<ReplyOf<WorkspaceEntries>>(
    sql,
    { entries: { table: "audit_entries", columns } },
    request,
  )
}

/** The columns of an entry beside its keys. */
const contentOf = (sql: Database | Transaction) => sql`
  program_id, actor_kind, actor_id, actor_address, action, subject_type, subject_id, details,
  request_id, at
`

/** The hash of an entry: equal if its copy is. */
export const entryHash = (sql: Database | Transaction) =>
  sql`hash_record_extended(row(${contentOf(sql)}), 0)::text`

/** Returns a handler that lists the audit entries of a service, for `npm run audit`. */
export const entryLister =
  (sql: Database, feed: OwnedEntry["feed"]) =>
  ({ after_id, limit }: { after_id: number; limit: number }) =>
    sql<OwnedEntry[]>`
      select id, entry_key, ${feed} as feed, final_xact::text as xact, ${entryHash(sql)} as hash
      from audit_entries
      where id > ${after_id}
      order by id
      limit ${limit}
    `
