import { newSale, refund, settle } from "./books"
import type { TestProgram } from "./program"

/** A sale of a new partner whose commission is paid and then refunded in these parts. */
export async function newRefundOfPaidSale(program: TestProgram, parts_cents = [100]) {
  const sale = await newSale(program)
  await settle(program, sale.commission_id, "approve")
  await settle(program, sale.commission_id, "mark-paid")
  for (const [i, refund_amount_cents] of parts_cents.entries()) {
    const { transaction_id } = sale
    await refund(program, { transaction_id, refund_amount_cents, refund_id: `part ${i}` })
  }
  return sale
}
