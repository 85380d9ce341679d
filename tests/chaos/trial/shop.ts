import type { Advertiser } from "./advertiser"
import type { Kind, TrackingRequest } from "./journal"

const WAITING_MAX = 5_000
const REFUND_CENTS = 500

type Customer = { click_id: string; customer_key?: string }
type Sale = { transaction_id: string; refunds: number }

/**
 * Simulates the visitors of a shop, who click, sign up, buy and return goods. Each step follows
 * once the one before is acknowledged. Transaction ids contain the advertiser's name, because they
 * are unique in the whole service.
 */
export function openShop({ name, api_token, codes }: Advertiser) {
  const visitors: Customer[] = [] // they may sign up
  const buyers: Customer[] = []
  const sales: Sale[] = []
  let count = 0

  /** Creates the next request of each kind. Undefined: no visitor is ready for that step. */
  const nextRequest: Record<Kind, () => TrackingRequest | undefined> = {
    click() {
      const affiliate_url = `https://shop.example/?aff=${codes[++count % codes.length]}`
      return { kind: "click", key: "", path: "/api/v1/track/click", body: { affiliate_url } }
    },

    /** Half of the leads come from backends, with the tracking token. */
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

    /** Refunds every third sale as a whole, and the others in two parts, one after the other. */
    refund() {
      const sale = sales.shift()
      if (!sale) return
      const { transaction_id, refunds } = sale
      const isWhole = refunds === 0 && ++count % 3 === 0
      const part = { refund_id: `part-${refunds}`, refund_amount_cents: REFUND_CENTS }
      const body = { transaction_id, ...(isWhole ? {} : part) }
      const key = refundKey(transaction_id, isWhole ? null : part.refund_id)
      return { kind: "refund", key, path: "/api/v1/track/refund", body, token: api_token }
    },
  }

  /** Records that a request was acknowledged, which makes the next step possible. */
  function acknowledge(request: TrackingRequest, reply: any) {
    const { kind, body } = request
    const { click_id, customer_key, transaction_id, refund_id } = body as Record<string, string>
    if (kind === "click") {
      request.key = reply.click_id
      addIfRoom(half() ? visitors : buyers, { click_id: request.key })
    }
    if (kind === "lead") addIfRoom(buyers, { click_id: click_id!, customer_key })
    if (kind === "sale") addIfRoom(sales, { transaction_id: transaction_id!, refunds: 0 })
    if (kind === "refund" && refund_id === "part-0") {
      sales.unshift({ transaction_id: transaction_id!, refunds: 1 })
    }
  }

  return { nextRequest, acknowledge }
}

/** Identifies a refund by its sale and refund_id. Null: the whole sale was refunded. */
export const refundKey = (transaction_id: string, refund_id: string | null) =>
  `${transaction_id}/${refund_id ?? "whole"}`

const half = () => Math.random() < 0.5

function addIfRoom<Item>(items: Item[], item: Item) {
  if (items.length < WAITING_MAX) items.push(item)
}
