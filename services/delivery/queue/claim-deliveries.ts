import type { Transaction } from "../../../lib/db/database"
import { sql } from "../db"
import { chooseDeliveries } from "./choose-deliveries"
import { waitingReceivers } from "./waiting-receivers"
import { isWanted } from "./wanted"

const AT_ONCE_MAX = 4 // attempts of one receiver
const DUE_MAX = 2_000 // looked at in one claim
const LEASE_SECONDS = 45 // a killed replica's deliveries are tried again within 60 s

/** The right to attempt a delivery. It ends LEASE_SECONDS after the claim. */
export type Lease = { delivery_id: number; token: string }

/** `url`: of the endpoint, or the template of the postback. */
export type Claimed = Lease & { url: string; is_postback: boolean; tries: number }

type Due = Omit<Claimed, "token"> & {
  receiver_id: number
  workspace_id: number
  host: string
  is_proven: boolean
}

let lastReceiver = 0 // after it, the next turn begins

/**
 * Claims up to `wanted` deliveries that are due, receivers in turn, within the limits over all
 * replicas (behaviour 12.4.3). Claims of replicas wait for each other, so that the counts are exact.
 */
export const claimDeliveries = (wanted: number): Promise<Claimed[]> =>
  sql.begin(async sql => {
    await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.claim'))`
    const due = await findDue(sql)
    if (due.length === 0) return []
    const chosen = chooseDeliveries(due, await countRunning(sql), wanted)
    const token = crypto.randomUUID()
    await lease(sql, chosen, token)
    lastReceiver = chosen.at(-1)?.receiver_id ?? lastReceiver
    return chosen.map(({ delivery_id, url, is_postback, tries }) => {
      return { delivery_id, token, url, is_postback, tries }
    })
  })

/**
 * The deliveries that each receiver may have attempted now: four, or one until an attempt has
 * succeeded and for a while after it complained. The first of every receiver come before the second.
 */
const findDue = (sql: Transaction) => sql<Due[]>`
  with recursive expired as (
    delete from leases
    where until < now()
  ),
  running as (
    select delivery_id, receiver_id
    from leases
    where until >= now()
  ),
  ${waitingReceivers}
  select due.id as delivery_id, due.tries, receiver_id, workspace_id, host, is_proven, url,
    is_postback
  from (
    select
      receiver.id as receiver_id,
      receiver.workspace_id,
      receiver.host,
      receiver.is_proven,
      endpoint.url,
      receiver.postback_id is not null as is_postback,
      endpoint.status,
      endpoint.events,
      endpoint.program_ids,
      case
        when not is_proven or one_at_a_time_until > now() then 1
        else ${AT_ONCE_MAX}
      end - (select count(*) from running where receiver_id = receiver.id) as free
    from waiting
    join receivers as receiver on receiver.id = waiting.receiver_id
    join destinations as endpoint on endpoint.receiver_id = receiver.id
  ) as endpoint
  cross join lateral (
    select id, tries, row_number() over (order by next_attempt_at) as turn
    from deliveries as delivery
    where delivery.receiver_id = endpoint.receiver_id
      and delivery.status = 'pending'
      and next_attempt_at <= now()
      and id not in (select delivery_id from running)
      and ${isWanted}
    order by next_attempt_at
    limit greatest(0, free)
  ) as due
  order by turn, receiver_id <= ${lastReceiver}, receiver_id
  limit ${DUE_MAX}
`

const countRunning = (sql: Transaction) => sql<
  { workspace_id: number; host: string; is_proven: boolean; attempts: number }[]
>`
  select workspace_id, host, is_proven, count(*) as attempts
  from leases
  group by workspace_id, host, is_proven
`

async function lease(sql: Transaction, due: Due[], token: string) {
  if (due.length === 0) return
  const leases = due.map(({ delivery_id, receiver_id, workspace_id, host, is_proven }) => ({
    delivery_id,
    receiver_id,
    workspace_id,
    host,
    is_proven,
  }))
  await sql`
    insert into leases (delivery_id, receiver_id, workspace_id, host, is_proven, token, until)
    select
      delivery_id,
      receiver_id,
      workspace_id,
      host,
      is_proven,
      ${token}::uuid,
      now() + ${LEASE_SECONDS} * interval '1 second'
    from jsonb_to_recordset(${sql.json(leases)}) as lease (
      delivery_id bigint, receiver_id bigint, workspace_id bigint, host text, is_proven boolean
    )
  `
}
