import type { Fate, Journal, Kind } from "./journal"
import { KINDS } from "./journal"
import { refundKey } from "./shop"
import type { System } from "./system"

export type Verdict = { lost: string[]; duplicated: string[] }

/** How often something is there, under each name that the owners' tables have for it. */
type Found = Map<string, { times: number; is_whole: boolean }>

/** What was promised against what the owners' tables hold, over all that was ever sent. */
export async function judge(sql: Sql, wishes: Journal["wishes"]): Promise<Verdict> {
  const found: Record<Kind, Found> = {
    click: await clicksOf(sql),
    lead: await leadsOf(sql),
    sale: await salesOf(sql),
    refund: await refundsOf(sql),
  }
  const lost: string[] = []
  for (const [{ kind, key }, fate] of wishes) {
    const there = found[kind].get(key)
    if (fate === "acknowledged" && !there?.is_whole) lost.push(`${kind} ${key}`)
  }
  const duplicated = KINDS.flatMap(kind =>
    [...found[kind]].filter(([, { times }]) => times > 1).map(([key]) => `${kind} ${key}`),
  )
  return { lost, duplicated: [...duplicated, ...strangers(found.click, wishes)] }
}

/** A click is never repeated: there are no more than were acknowledged or left in doubt. */
function strangers(clicks: Found, wishes: Map<{ kind: Kind; key: string }, Fate>): string[] {
  const sent = [...wishes].filter(([{ kind }, fate]) => kind === "click" && fate !== "refused")
  const extra = clicks.size - sent.length
  return Array.from({ length: Math.max(0, extra) }, (_, i) => `click nobody sent, no. ${i + 1}`)
}

type Sql = System["sql"]
type Row = { key: string; times: number; is_whole: boolean }

const mapOf = (rows: Row[]): Found => new Map(rows.map(({ key, ...found }) => [key, found]))

const clicksOf = async (sql: Sql) =>
  mapOf(
    await sql<Row[]>`
    select
      click_id as key,
      count(*) as times,
      true as is_whole
    from tracking.affiliate_click_events
    group by click_id
  `,
  )

const leadsOf = async (sql: Sql) =>
  mapOf(
    await sql<Row[]>`
    select
      click_id as key,
      count(*) as times,
      bool_and(customer_key is not null) as is_whole
    from tracking.affiliate_lead_events
    group by click_id
  `,
  )

/** A sale is whole with one commission, which is entered into the ledger once. */
const salesOf = async (sql: Sql) =>
  mapOf(
    await sql<Row[]>`
    select
      sale.transaction_id as key,
      greatest(count(distinct sale.id), count(distinct commission.id), count(entry.id)) as times,
      bool_and(
        sale.state = 'complete'
        and entry.amount_cents = round(sale.amount_cents * 0.3)
        and commission.id = sale.commission_id
      ) is true as is_whole
    from tracking.affiliate_sale_events as sale
    left join commissions.commissions as commission on commission.sale_id = sale.id
    left join commissions.ledger as entry
      on entry.commission_id = commission.id
      and entry.kind = 'commission'
    group by sale.transaction_id
  `,
  )

/** A refund is whole with one deduction, of what it says. */
const refundsOf = async (sql: Sql) => {
  const rows = await sql<(Row & { transaction_id: string; refund_id: string | null })[]>`
    select
      commission.transaction_id,
      refund.refund_id,
      greatest(count(distinct refund.id), count(entry.id)) as times,
      bool_and(entry.amount_cents = -refund.deduction_cents) is true as is_whole
    from commissions.refunds as refund
    join commissions.commissions as commission on commission.id = refund.commission_id
    left join commissions.ledger as entry
      on entry.refund_id = refund.id
      and entry.kind = 'deduction'
    group by commission.transaction_id, refund.refund_id
  `
  return mapOf(rows.map(row => ({ ...row, key: refundKey(row.transaction_id, row.refund_id) })))
}
