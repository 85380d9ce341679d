import type { Database, Fragment, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type { Postback, PostbackKey, PostbackOwner } from "../contract"
import { sql } from "../db"
import { createReceivers, hostOf } from "./postback-receivers"

/** The columns of a postback that the API shows. */
export const postbackColumns = sql`
  id,
  program_id,
  url,
  method,
  case
    when body_type is not null
    then jsonb_build_object('type', body_type, 'template', body_template)
  end as body,
  to_jsonb(events) as events,
  dialect,
  status,
  created_at
`

/** Restricts postbacks to those of an owner. */
export const isOwnedBy = (owner: PostbackOwner): Fragment =>
  "account_id" in owner
    ? sql`account_id = ${owner.account_id}`
    : sql`
        account_id is null
        and program_id = ${owner.program_id}
        and partner_id is not distinct from ${owner.partner_id}::bigint
      `

/** Finds a postback. Throws "missing". */
export async function findPostback(
  sql: Database | Transaction,
  { owner, postback_id }: PostbackKey,
): Promise<Postback> {
  const [postback] = await sql<[Postback?]>`
    select ${postbackColumns}
    from postbacks
    where id = ${postback_id}
      and ${isOwnedBy(owner)}
  `
  return postback ?? notFound()
}

/** Finds a postback and locks it until the transaction ends. Throws "missing". */
export async function lockPostback(sql: Transaction, key: PostbackKey): Promise<Postback> {
  const locked = await sql`
    select 1
    from postbacks
    where id = ${key.postback_id}
      and ${isOwnedBy(key.owner)}
    for update
  `
  if (locked.count === 0) notFound()
  return findPostback(sql, key) // a statement of its own sees what was committed meanwhile
}

const NO_PROGRAM = { workspace_id: null, partner_id: null }

type Stored = Omit<Postback, "id" | "created_at">

/** Inserts a postback of an owner. */
export async function insertPostback(
  sql: Transaction,
  owner: PostbackOwner,
  postback: Stored,
): Promise<Postback> {
  const { account_id, workspace_id, partner_id } =
    "account_id" in owner ? { ...NO_PROGRAM, ...owner } : { account_id: null, ...owner }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into postbacks (
      account_id, workspace_id, partner_id, program_id, url, method, body_type, body_template,
      events, dialect, status
    )
    values (
      ${account_id}, ${workspace_id}, ${partner_id}, ${postback.program_id}, ${postback.url},
      ${postback.method}, ${postback.body?.type ?? null}, ${postback.body?.template ?? null},
      ${postback.events}::text[], ${postback.dialect}, ${postback.status}
    )
    returning id
  `
  await createReceivers(sql)
  return findPostback(sql, { owner, postback_id: id })
}

/** Stores all fields of a locked postback, and tells the queue. */
export const storePostback = (sql: Transaction, postback: Postback) => sql`
  with receiver as (
    update receivers
    set
      host = ${hostOf(postback)},
      is_narrowed = true,
      is_proven = false,
      failing_since = null,
      one_at_a_time_until = null
    where postback_id = ${postback.id}
  )
  update postbacks
  set
    program_id = ${postback.program_id},
    url = ${postback.url},
    method = ${postback.method},
    body_type = ${postback.body?.type ?? null},
    body_template = ${postback.body?.template ?? null},
    events = ${postback.events}::text[],
    dialect = ${postback.dialect},
    status = ${postback.status}
  where id = ${postback.id}
`

function notFound(): never {
  throw new Fault("missing", "Postback not found.")
}
