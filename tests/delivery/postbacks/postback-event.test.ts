import { expect, test } from "bun:test"
import { hideSale } from "../../../services/delivery/postbacks/hide-sale"
import {
  postbackEventOf,
  postbackStatusOf,
} from "../../../services/delivery/postbacks/postback-event"
import { SALE } from "./sample-values"

test.each([
  ["lead.created", "lead"],
  ["commission.created", "sale"],
  ["commission.approved", "approved"],
  ["commission.rejected", "rejected"],
  ["commission.refunded", "refunded"],
  ["commission.reversed", "refunded"],
  ["commission.paid", "paid"],
  ["commission.held", null],
  ["sale.recorded", null],
  ["partner.approved", null],
  ["constructor", null],
])("postbacks call the event %s %s", (type, event) => {
  expect(postbackEventOf(type)).toBe(event as ReturnType<typeof postbackEventOf>)
})

test.each([
  ["pending", false, "pending"],
  ["pending", true, "held"],
  ["approved", false, "approved"],
  ["approved", true, "held"],
  ["rejected", true, "rejected"],
  ["refunded", false, "reversed"],
  ["reversed", true, "reversed"],
  ["paid", true, "paid"],
] as const)("a commission that is %s, held %p, is %s", (status, held, word) => {
  expect(postbackStatusOf({ status, held })).toBe(word)
})

const { transaction_id, sale_amount } = SALE

test.each([
  ["partner", true, transaction_id, sale_amount],
  ["partner", false, null, null],
  ["program", true, transaction_id, sale_amount],
  ["program", false, transaction_id, null],
] as const)("a %s with share_sale_amount %p", (receiver, share_sale_amount, order, amount) => {
  const shown = hideSale(SALE, { receiver, share_sale_amount })
  expect(shown).toEqual({ ...SALE, transaction_id: order, sale_amount: amount })
})
