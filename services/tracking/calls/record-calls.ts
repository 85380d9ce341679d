import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { KEPT_CALLS, KEPT_DAYS } from "./list-calls"

type Request = RequestOf<typeof contract.recordCalls>

/** What a click_id of ours looks like: others may be stored as they are. */
const CLICK_ID = "^clk_[0-9A-HJKMNP-TV-Z]{26}$"

/**
 * A click_id is stored only while a customer of the program has it, since an erased customer must
 * not be named again. The lock makes an erasure wait, which then clears it.
 */
export async function recordCalls({ calls }: Request) {
  const click_ids = calls.flatMap(({ click_id }) => click_id ?? [])
  const stored = await sql<{ program_id: number }[]>`
    with call as (
      select program_id, code, click_id, age_ms, route, status, error, fields
      from jsonb_to_recordset(${sql.json(calls)}) as call (
        program_id bigint, code text, click_id text, age_ms int, route text, status int, error text,
        fields jsonb
      )
    ),
    customer as (
      select program_id, click_id
      from customers
      where click_id = any (${click_ids}::text[]) and names_click
      order by id
      for key share
    )
    insert into tracking_calls (program_id, at, route, status, error, fields)
    select
      program.program_id, now() - age_ms * interval '1 ms', route, call.status, error,
      case
        when call.click_id !~ ${CLICK_ID} or customer.program_id = program.program_id then fields
        else fields || case when call.click_id is null then '{}' else '{"click_id": null}' end::jsonb
      end
    from call
    left join customer on customer.click_id = call.click_id
    join programs as program on program.program_id = coalesce(
      call.program_id,
      (select program_id from referral_links where referral_links.code = call.code),
      customer.program_id
    )
    order by age_ms desc
    returning program_id
  `
  await dropOlder([...new Set(stored.map(({ program_id }) => program_id))])
  return {}
}

/** Drops all but the newest calls of these programs. Gateways store theirs in batches, so ids do not say which is newer. */
const dropOlder = (program_ids: number[]) => sql`
  delete from tracking_calls as call
  using (
    select program.program_id, newest.at, newest.id
    from unnest(${program_ids}::bigint[]) as program (program_id)
    cross join lateral (
      select at, id
      from tracking_calls
      where tracking_calls.program_id = program.program_id
      order by at desc, id desc
      offset ${KEPT_CALLS}
      limit 1
    ) as newest
  ) as dropped
  where call.program_id = dropped.program_id
    and (call.at, call.id) <= (dropped.at, dropped.id)
`

/** Drops the calls that are too old to be listed. */
export const dropOldCalls = () => sql`
  delete from tracking_calls
  where at < now() - ${KEPT_DAYS} * interval '1 day'
`
