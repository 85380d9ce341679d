import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { TestEvent } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listTestEvents>
type Reply = ReplyOf<typeof contract.listTestEvents>
type Filter = Request["filter"]

/** Reads the three tables together: a program has few test events, and they have no sums. */
export async function listTestEvents({
  program_id,
  filter,
  slice,
  after,
}: Request): Promise<Reply> {
  const matching = selectTestEvents(program_id, filter)
  const [rows, [{ total }]] = await Promise.all([
    sql<EventRow[]>`
      select *
      from (${matching}) as event
      ${after ? isAfter(after) : sql``}
      order by timestamp desc, event_type collate "C" desc, id desc
      limit ${slice.limit}
      offset ${slice.offset}
    `,
    sql<[{ total: number }]>`
      select count(*) as total
      from (${matching}) as event
    `,
  ])
  return { rows: rowsThatFit(rows.map(toEvent)), total }
}

const isAfter = ({ timestamp, event_type, id }: NonNullable<Request["after"]>) => sql`
  where (timestamp, event_type collate "C", id) < (${timestamp}, ${event_type}, ${id})
`

const selectTestEvents = (program_id: number, filter: Filter) => sql`
  select *
  from (
    select
      id, 'click' as event_type, click_timestamp as timestamp, click_id, session_id, page_url,
      referrer_url, geo_country, geo_region, geo_city, device_type, device_os, browser_name,
      null as customer_key, null::bigint as amount_cents, null as currency, null as sale_type,
      null as payment_status, null as processor_event_id, null::boolean as is_recurring, created_at
    from affiliate_click_events
    where program_id = ${program_id} and is_test
    union all
    select
      id, 'lead', lead_timestamp, click_id, session_id, page_url,
      null, null, null, null, null, null, null,
      customer_key, null, null, null, null, null, null, created_at
    from affiliate_lead_events
    where program_id = ${program_id} and is_test
    union all
    select
      id, 'conversion', sale_date, click_id, null, null,
      null, null, null, null, null, null, null,
      customer_key, amount_cents, currency, sale_type, payment_status, transaction_id,
      is_recurring, created_at
    from affiliate_sale_events
    where program_id = ${program_id} and is_test
  ) as event
  where ${filter.event_type ? sql`event_type = ${filter.event_type}` : sql`true`}
    and timestamp between ${filter.from} and ${filter.to}
    ${filter.customer_key ? sql`and customer_key = ${filter.customer_key}` : sql``}
    ${filter.transaction_id ? sql`and processor_event_id = ${filter.transaction_id}` : sql``}
    ${filter.country ? sql`and geo_country = ${filter.country}` : sql``}
`

type EventRow = Record<string, unknown> & { event_type: TestEvent["event_type"] }

const COMMON = ["id", "event_type", "timestamp", "click_id"]
const VISIT = ["session_id", "page_url"]
const FIELDS = {
  click: [
    ...[...COMMON, ...VISIT, "referrer_url", "geo_country", "geo_region", "geo_city"],
    ...["device_type", "device_os", "browser_name", "created_at"],
  ],
  lead: [...COMMON, "customer_key", ...VISIT, "created_at"],
  conversion: [
    ...[...COMMON, "customer_key", "amount_cents", "currency", "sale_type", "payment_status"],
    ...["processor_event_id", "is_recurring", "created_at"],
  ],
}

function toEvent(row: EventRow): TestEvent {
  const fields = FIELDS[row.event_type].map(field => [field, row[field]])
  const converted = row.event_type === "conversion" ? {} : { converted: false }
  return { ...Object.fromEntries(fields), ...converted, is_test: true }
}
