import type { Transaction } from "../../../lib/db/database"
import type { PostbackOwner } from "../contract"

/**
 * With whom an owner shares the limits of attempts at a host (receivers.workspace_id): its workspace,
 * or the number of its account, negated.
 */
export const limitedWith = (owner: PostbackOwner): number =>
  "account_id" in owner ? -owner.account_id : owner.workspace_id

export const hostOf = ({ url }: { url: string }) => new URL(url).host

type Lacking = { id: number; url: string; workspace_id: number }

/**
 * Tells the queue of all postbacks that it does not know: a new one, and those that an older version
 * created, or whose receivers it deleted because they have no endpoint.
 */
export async function createReceivers(sql: Transaction) {
  const lacking = await sql<Lacking[]>`
    select id, url, coalesce(workspace_id, -account_id) as workspace_id
    from postbacks
    where not exists (
      select
      from receivers
      where postback_id = postbacks.id
    )
    for key share
  `
  if (lacking.length === 0) return
  const receivers = lacking.map(({ id: postback_id, workspace_id, url }) => {
    return { postback_id, workspace_id, host: hostOf({ url }) }
  })
  await sql`
    insert into receivers (postback_id, workspace_id, host)
    select postback_id, workspace_id, host
    from jsonb_to_recordset(${sql.json(receivers)}) as receiver (
      postback_id bigint, workspace_id bigint, host text
    )
    order by postback_id
    on conflict (postback_id) do nothing
  `
}
