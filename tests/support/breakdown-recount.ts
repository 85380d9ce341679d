import { DIMENSION_COLUMNS } from "./dimensions"
import { sql } from "./world"

export type Fact = {
  kind: "click" | "lead" | "sale" | "commission"
  at: string
  converts: boolean
  amount_cents: number
  currency: string | null
} & Record<string, unknown>

const COLUMNS: Record<string, string> = {
  partner: "partner_id",
  link: "link_id",
  country: "geo_country",
  device: "device_type",
  browser: "browser_name",
  referrer: "referrer_host",
  sub_id: "sub_id",
}

/** Everything that happened in a program, straight from the tables of the owning services. */
export async function factsOf(program_id: number): Promise<Fact[]> {
  const facts = await sql<(Fact & { at: Date })[]>`
    select
      'click' as kind, click_timestamp as at, partner_id, link_id, ${DIMENSION_COLUMNS}, false as converts,
      0::bigint as amount_cents, null as currency
    from tracking.affiliate_click_events
    where program_id = ${program_id}
    union all
    select 'lead', lead_timestamp, partner_id, link_id, ${DIMENSION_COLUMNS}, false, 0, null
    from tracking.affiliate_lead_events
    where program_id = ${program_id}
    union all
    select 'sale', sale_date, partner_id, link_id, ${DIMENSION_COLUMNS}, converts, amount_cents, currency
    from tracking.affiliate_sale_events
    where program_id = ${program_id}
    union all
    select
      'commission', commission.created_at, commission.partner_id, link_id, ${DIMENSION_COLUMNS}, false,
      commission.amount_cents, commission.currency
    from commissions.commissions as commission
    join tracking.affiliate_sale_events as sale on sale.id = sale_id
    where commission.program_id = ${program_id}
  `
  return facts.map(fact => ({ ...fact, at: fact.at.toISOString() }))
}

/** The rows of a breakdown of a program in USD, counted one by one, without the label. */
export function recount(facts: Fact[], by: string, from: string, to: string) {
  const column = COLUMNS[by] as string
  const inside = facts.filter(({ at }) => from <= at && at <= to)
  const rows = [...Map.groupBy(inside, fact => fact[column] as string | number | null)]
    .map(([value, facts]) => ({ value, ...rowOf(facts) }))
    .filter(row => row.clicks + row.leads + row.conversions + row.cents > 0)
  const text = (value: unknown) => String(value ?? "")
  return rows
    .sort((a, b) => b.clicks - a.clicks || (text(a.value) < text(b.value) ? -1 : 1))
    .map(({ cents, ...row }) => row)
}

function rowOf(facts: Fact[]) {
  const money = (kind: string, currency: string) =>
    facts
      .filter(fact => fact.kind === kind && fact.currency === currency)
      .reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  const clicks = facts.filter(({ kind }) => kind === "click").length
  const conversions = facts.filter(({ converts }) => converts).length
  const yen = { revenue: money("sale", "JPY"), commission: money("commission", "JPY") }
  return {
    clicks,
    leads: facts.filter(({ kind }) => kind === "lead").length,
    conversions,
    revenue: money("sale", "USD") / 100,
    commission: money("commission", "USD") / 100,
    conversionRate: clicks ? Math.round((conversions * 10_000) / clicks) / 100 : 0,
    otherCurrencies: yen.revenue + yen.commission > 0 ? [{ currency: "JPY", ...yen }] : [],
    cents: facts.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  }
}
