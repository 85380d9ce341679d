import type { Advertiser } from "./advertiser"
import type { Kind, Wish } from "./journal"

const STOCK_MAX = 5_000
const REFUND_CENTS = 500

type Customer = { click_id: string; customer_key?: string }
type Sale = { transaction_id: string; refunds: number }

/**
 * Visitors who click, sign up, buy and send back, each after the step before is acknowledged. Orders
 * are named after the advertiser: no two programs may name the same.
 */
export function openShop({ name, api_token, codes }: Advertiser) {
  const visitors: Customer[] = [] // who may sign up
  const buyers: Customer[] = []
  const sales: Sale[] = []
  let count = 0

  const wishes: Record<Kind, () => Wish | undefined> = {
    click() {
      const affiliate_url = `https://shop.example/?aff=${codes[++count % codes.length]}`
      return { kind: "click", key: "", path: "/api/v1/track/click", body: { affiliate_url } }
    },

    /** One half comes from backends, with the token. */
    lead() {
      const customer = visitors.shift()
      if (!customer) return
      const token = half() ? api_token : undefined
      const body = { ...customer, customer_key: `customer-${++count}` }
      return { kind: "lead", key: customer.click_id, path: "/api/v1/track/lead", body, token }
    },

    sale() {
      const customer = buyers.shift()
      if (!customer) return
      const transaction_id = `${name}-order-${++count}`
      const body = { ...customer, transaction_id, amount_cents: 2_000 + (count % 5_000) }
      const path = "/api/v1/track/sale"
      return { kind: "sale", key: transaction_id, path, body, token: api_token }
    },

    /** Every third is of the whole sale; else two parts of it go back, one after the other. */
    refund() {
      const sale = sales.shift()
      if (!sale) return
      const { transaction_id, refunds } = sale
      const is_whole = refunds === 0 && ++count % 3 === 0
      const part = { refund_id: `part-${refunds}`, refund_amount_cents: REFUND_CENTS }
      const body = { transaction_id, ...(is_whole ? {} : part) }
      const key = refundKey(transaction_id, is_whole ? null : part.refund_id)
      return { kind: "refund", key, path: "/api/v1/track/refund", body, token: api_token }
    },
  }

  /** An acknowledged step makes the next one possible. */
  function acknowledged(wish: Wish, answer: any) {
    const { kind, body } = wish
    const { click_id, customer_key, transaction_id, refund_id } = body as Record<string, string>
    if (kind === "click") {
      wish.key = answer.click_id
      stock(half() ? visitors : buyers, { click_id: wish.key })
    }
    if (kind === "lead") stock(buyers, { click_id: click_id!, customer_key })
    if (kind === "sale") stock(sales, { transaction_id: transaction_id!, refunds: 0 })
    if (kind === "refund" && refund_id === "part-0") {
      sales.unshift({ transaction_id: transaction_id!, refunds: 1 })
    }
  }

  return { wishes, acknowledged }
}

export const refundKey = (transaction_id: string, refund_id: string | null) =>
  `${transaction_id}/${refund_id ?? "whole"}`

const half = () => Math.random() < 0.5

function stock<Item>(shelf: Item[], item: Item) {
  if (shelf.length < STOCK_MAX) shelf.push(item)
}
