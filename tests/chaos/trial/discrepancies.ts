import { type Journal, KINDS, type Kind } from "./journal"
import { refundKey } from "./shop"
import type { System } from "./system"

export type Discrepancies = { lost: string[]; duplicated: string[] }

/** By key: how many rows the owners' tables have for it, and whether they are complete. */
type Found = Map<string, { times: number; is_whole: boolean }>

/** Compares all requests sent so far with the owners' tables. */
export async function findDiscrepancies(
  sql: Sql,
  requests: Journal["requests"],
): Promise<Discrepancies> {
  const found: Record<Kind, Found> = {
    click: await clicksOf(sql),
    lead: await leadsOf(sql),
    sale: await salesOf(sql),
    refund: await refundsOf(sql),
  }
  const lost: string[] = []
  for (const [{ kind, key }, state] of requests) {
    const stored = found[kind].get(key)
    if (state === "acknowledged" && !stored?.is_whole) lost.push(`${kind} ${key}`)
  }
  const duplicated = KINDS.flatMap(kind =>
    [...found[kind]].filter(([, { times }]) => times > 1).map(([key]) => `${kind} ${key}`),
  )
  return { lost, duplicated: [...duplicated, ...extraClicks(found.click, requests)] }
}

/** Clicks beyond those acknowledged or in doubt. Clients never repeat a click. */
function extraClicks(clicks: Found, requests: Journal["requests"]): string[] {
  const sent = [...requests].filter(([{ kind }, state]) => kind === "click" && state !== "refused")
  const extra = clicks.size - sent.length
  return Array.from({ length: Math.max(0, extra) }, (_, i) => `extra click no. ${i + 1}`)
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

/** A sale is whole if it has one commission with one ledger entry. */
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

/** A refund is whole if its ledger has one deduction of the same amount. */
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
