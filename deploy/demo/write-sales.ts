import { WINDOW_DAYS } from "./cast"
import type { Commission } from "./decisions"
import { insertRows, iso, reserveIds, type Sql } from "./rows"
import { DAY_MS, type Purchase } from "./visitors"
import type { Group, Policy, Scene } from "./write-partners"
import type { Recorded } from "./write-visitors"

const FIRST_ORDER = 10_001
const APPROVED_VERSION = 2 // of each partner, when the sales were stored

type Customer = Recorded["customers"][number]
export type Sale = {
  id: number
  customer: Customer
  purchase: Purchase
  transaction_id: string
  commission: (Commission & { policy_id: number }) | null
}

/**
 * Lists what the customers bought as sales, by time, each with the commission that it earned. The
 * sales are stored by storeSales, which needs the ids of their commissions.
 */
export async function salesOf(
  sql: Sql,
  { customers, attributionOf }: Recorded,
  groups: Map<string, Group>,
): Promise<Sale[]> {
  const bought = customers
    .flatMap(customer => customer.purchases.map(purchase => ({ customer, purchase })))
    .sort((one, other) => one.purchase.at - other.purchase.at)
  const ids = await reserveIds(sql, "tracking.affiliate_sale_events", bought.length)
  const commissionIds = await reserveIds(sql, "commissions.commissions", bought.length)

  return bought.map(({ customer, purchase }, i) => {
    const transaction_id = `demo-${FIRST_ORDER + i}`
    const sale = { id: ids[i]!, customer, purchase, transaction_id, commission: null }
    if (!purchase.is_attributed) return sale
    const { partner_id } = attributionOf(customer)
    const policy = groups
      .get(purchase.visit.partner.group)!
      .policies.findLast(({ since }) => since <= purchase.at)!
    const terms = termsOf(purchase, policy)
    const earned = { id: commissionIds[i]!, partner_id, transaction_id, policy_id: policy.id }
    return { ...sale, commission: { ...earned, ...terms, ...UNDECIDED } }
  })
}

const UNDECIDED = {
  status: "pending",
  approved_at: null,
  paid_at: null,
  refunded_cents: 0,
  deducted_cents: 0,
  refund_reason: null,
  rejection_reason: null,
} as const

function termsOf({ at, product, amount_cents: sale_amount_cents }: Purchase, policy: Policy) {
  const { products, rate_bps, hold_days, auto_approve } = policy
  const special = products.find(({ product_id }) => product_id === product.id)
  return {
    sale_amount_cents,
    amount_cents: special?.amount_cents ?? Math.round((sale_amount_cents * rate_bps) / 10_000),
    created_at: at,
    hold_ends_at: at + hold_days * DAY_MS,
    auto_approve,
  }
}

export async function storeSales(sql: Sql, scene: Scene, sales: Sale[], recorded: Recorded) {
  const { attributionOf, clicks } = recorded
  const { xact: final_xact } = scene
  const byPurchase = new Map(sales.map(sale => [sale.purchase, sale.id]))
  await insertRows(
    sql,
    "tracking.affiliate_sale_events",
    sales.map(({ id, customer, purchase, transaction_id, commission }) => {
      const { at, visit, product, amount_cents, is_attributed, converts, renews } = purchase
      const isSubscription = product.id === "membership"
      return {
        id,
        ...attributionOf(customer),
        customer_key: customer.customer_key,
        transaction_id,
        request_hash: transaction_id,
        acknowledged_by: transaction_id,
        amount_cents,
        currency: "USD",
        product_id: product.id,
        sale_type: isSubscription ? "subscription" : "payment",
        is_recurring: isSubscription,
        subscription_id: isSubscription ? `membership-${customer.id}` : null,
        subscription_interval: isSubscription ? "monthly" : null,
        partner_version: APPROVED_VERSION,
        first_sale_id: renews && byPurchase.get(renews),
        click_age_days: Math.floor((at - visit.at) / DAY_MS),
        window_days: WINDOW_DAYS,
        is_attributed,
        converts,
        commission_id: commission?.id,
        state: "complete",
        last_click_event_id: clicks.findLast(click => click.visit.at <= at)!.id,
        sale_date: iso(at),
        created_at: iso(at),
        final_xact,
      }
    }),
  )
}

/** Stores the commissions as they are now. */
export async function storeCommissions(sql: Sql, { program_id, xact }: Scene, sales: Sale[]) {
  await insertRows(
    sql,
    "commissions.commissions",
    sales.flatMap(({ id: sale_id, commission }) => {
      if (!commission) return []
      const { created_at, hold_ends_at, approved_at, paid_at, ...fields } = commission
      return {
        ...fields,
        sale_id,
        program_id,
        sale_date: iso(created_at),
        created_at: iso(created_at),
        hold_ends_at: iso(hold_ends_at),
        approved_at: approved_at && iso(approved_at),
        paid_at: paid_at && iso(paid_at),
        currency: "USD",
        sale_currency: "USD",
        final_xact: xact,
      }
    }),
  )
}
