import type { PostbackValues } from "./postback-values"

/**
 * Leaves out what the receiver of a postback may not see of the advertiser's sale (behaviour
 * 12.5.3). Without `share_sale_amount` the amount is hidden from all receivers, and the
 * transaction id from partners. `receiver` is "program" only for the program's own postbacks.
 */
export function hideSale(
  values: PostbackValues,
  { receiver, share_sale_amount }: { receiver: "program" | "partner"; share_sale_amount: boolean },
): PostbackValues {
  if (share_sale_amount) return values
  const transaction_id = receiver === "program" ? values.transaction_id : null
  return { ...values, transaction_id, sale_amount: null }
}
