import type postgres from "postgres"
import type { Rows } from "./recount"

type Row = Record<string, unknown> & {
  id: number
  at: string
  converted_at: string | null
  last_click_event_id: number | null // of the sale that converted the customer
}
export type Recorded = Rows & Record<"click" | "lead" | "conversion", Row[]>

/** Everything recorded for a program, read from the tables of the owning services, not reporting's. */
export async function rowsOf(sql: postgres.Sql, program_id: number): Promise<Recorded> {
  const [{ rows }] = await sql<[{ rows: Recorded }]>`
    with
    customer as (
      select id as customer_id, customer_status, signup_date, first_purchase_date
      from tracking.customers
      where program_id = ${program_id}
    ),
    converting as (
      select customer_id, last_click_event_id
      from tracking.affiliate_sale_events
      where program_id = ${program_id} and converts
    ),
    click as (
      select *, click_timestamp as at, first_purchase_date as converted_at
      from tracking.affiliate_click_events
      join customer using (customer_id)
      left join converting using (customer_id)
      where program_id = ${program_id} and not is_test
    ),
    lead as (
      select *, lead_timestamp as at, first_purchase_date as converted_at
      from tracking.affiliate_lead_events
      join customer using (customer_id)
      where program_id = ${program_id} and not is_test
    ),
    conversion as (
      select *, sale_date as at
      from tracking.affiliate_sale_events
      where program_id = ${program_id} and not is_test and state = 'complete'
    ),
    signup as (
      select signup_date as at from customer where customer_status in ('lead', 'conversion')
        and signup_date is not null
    ),
    purchase as (
      select first_purchase_date as at from customer where customer_status = 'conversion'
    ),
    commission as (
      select created_at as at, amount_cents, currency
      from commissions.commissions
      where program_id = ${program_id}
    ),
    partner as (
      select created_at as at
      from commissions.partner_programs
      where program_id = ${program_id} and version > 0
    )
    select jsonb_build_object(
      'click', (select coalesce(jsonb_agg(click), '[]') from click),
      'lead', (select coalesce(jsonb_agg(lead), '[]') from lead),
      'conversion', (select coalesce(jsonb_agg(conversion), '[]') from conversion),
      'leads', (select coalesce(jsonb_agg(signup), '[]') from signup),
      'conversions', (select coalesce(jsonb_agg(purchase), '[]') from purchase),
      'commissions', (select coalesce(jsonb_agg(commission), '[]') from commission),
      'partners', (select coalesce(jsonb_agg(partner), '[]') from partner)
    ) as rows
  `
  return { ...rows, clicks: rows.click, sales: rows.conversion as unknown as Rows["sales"] }
}

type EventFilter = { event_type?: string; from?: string; to?: string }

/** The events that a listing should show for these rows, in its order. */
export function eventsOf(rows: Recorded, { event_type, from, to }: EventFilter) {
  const events = (["click", "lead", "conversion"] as const)
    .filter(type => !event_type || type === event_type)
    .flatMap(type => rows[type].map(row => eventOf(type, row)))
    .filter(({ timestamp }) => (!from || timestamp >= from) && (!to || timestamp <= to))

  const keyOf = ({ timestamp, event_type, id }: ReturnType<typeof eventOf>) =>
    `${timestamp} ${event_type.padEnd(10)} ${String(id).padStart(20, "0")}`
  return events.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

function eventOf(event_type: "click" | "lead" | "conversion", row: Row) {
  const timestamp = iso(row.at)
  const event = { id: row.id, event_type, timestamp, createdAt: iso(row.created_at as string) }
  const fields = Object.fromEntries(FIELDS[event_type].map(field => [field, row[field]]))
  if (event_type === "conversion")
    return { ...event, ...fields, processor_event_id: row.transaction_id }

  return { ...event, ...fields, converted: isConverted(event_type, row) }
}

/** A lead cannot follow a conversion. Clicks have an order, unless an older version stored the sale. */
function isConverted(event_type: "click" | "lead", row: Row): boolean {
  if (row.converted_at === null || event_type === "lead") return row.converted_at !== null
  return row.last_click_event_id === null
    ? Date.parse(row.at) <= Date.parse(row.converted_at)
    : row.id <= row.last_click_event_id
}

const FIELDS = {
  click: [
    ...["click_id", "session_id", "page_url", "referrer_url", "geo_country", "geo_region"],
    ...["geo_city", "device_type", "device_os", "browser_name"],
  ],
  lead: ["click_id", "customer_key", "session_id", "page_url"],
  conversion: [
    ...["click_id", "amount_cents", "currency", "sale_type", "payment_status", "is_recurring"],
  ],
}

const iso = (time: string) => new Date(time).toISOString()
