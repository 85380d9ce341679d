import { curlOf } from "./curl"

/** What stands in the head of the advertiser's pages. */
export const scriptOf = (program_id: number) =>
  `<script async src="${location.origin}/service-tracker.js" data-program-id="${program_id}"></script>`

/** The call of a lead in the page, which may come before the script has loaded. */
export const LEAD_CALL = `window.serviceTrackerQueue = window.serviceTrackerQueue || []
window.serviceTrackerQueue.push(["signup", "customer-42", "ada@example.com"])`

/** A sale as the backend reports it. Without its currency it would be one in USD. */
export const saleOf = (transaction_id: string, currency: string | undefined) => ({
  customer_key: "customer-42",
  transaction_id,
  amount_cents: 4_999,
  currency,
})

/** The call of a sale from the backend. */
export const saleCallOf = (token: string | undefined, currency: string | undefined) =>
  curlOf("sale", saleOf("order-1001", currency), token)
