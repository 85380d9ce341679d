import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { ReplyOf } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"
import { major } from "../../../lib/money"
import { currentContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { findTestSale, Refund, refundSale, TestRefund } from "../../../services/tracking/contract"
import { refundToken } from "../../http/access"
import { route } from "../../http/route"
import { observeCall } from "./observe-call"
import { isTest, TestReply, testReply } from "./test-mode"
import { trackingFields } from "./tracking-fields"

const REFUND_TIMEOUT_MS = 3_000 // for each try; tracking waits 2 s for commissions

const Done = { success: Type.Literal(true) }

const RefundReply = Type.Union([
  Type.Object({
    ...Done,
    status: OneOf("reversed", "refunded"),
    deductionAmount: Type.Number({ description: "in major units of the commission's currency" }),
    commission_id: Id,
  }),
  Type.Object({ ...Done, status: Type.Literal("no_commission"), message: Type.String() }),
  Type.Object({
    ...Done,
    status: Type.Literal("skipped"),
    reason: Type.String(),
    commission_id: Id,
  }),
  TestReply,
])

const fieldsOfRefund = trackingFields(Refund)

/** Refunds a sale and takes back what it earned (behaviour 4.4). */
export const refund = route(
  {
    id: "refundSale",
    method: "POST",
    path: "/api/v1/track/refund",
    aliases: ["/api/tracking/refund"],
    summary: "Refund a sale and take back what it earned",
    description:
      "Without `refund_amount_cents`, or with 0, the whole sale is refunded. " +
      "A `refund_reason` is cut at 1,024 characters. In test mode " +
      "`transaction_id` may be left out. The sales of an archived program can still be refunded.",
    access: refundToken,
    isBeacon: true,
    observe: observeCall("refund"),
    body: Refund,
    read(body) {
      const fields = fieldsOfRefund(body)
      return { schema: isTest(fields) ? TestRefund : Refund, fields }
    },
    answers: { 200: RefundReply, 404: "The program has no sale with this transaction_id." },
  },
  async ({ program_id, body: refund }) => {
    if (isTest(refund)) {
      const { transaction_id = null } = refund as Static<typeof TestRefund>
      const { event_id } = await call(findTestSale, { program_id, transaction_id })
      return testReply({ event_id, program_id }, "A test refund changes nothing.")
    }
    const request = { request_id: currentContext().request_id, program_id, refund }
    return replyOf(await retryOnSilence(() => call(refundSale, request, REFUND_TIMEOUT_MS)))
  },
)

function replyOf(refunded: ReplyOf<typeof refundSale>): Static<typeof RefundReply> {
  switch (refunded.status) {
    case "reversed":
    case "refunded": {
      const { status, deduction_cents, currency, commission_id } = refunded
      const deductionAmount = major(deduction_cents, currency)
      return { success: true, status, deductionAmount, commission_id }
    }
    case "no_commission":
      return { success: true, ...refunded, message: "The sale has no commission to take back." }
    case "skipped":
      return { success: true, ...refunded }
  }
}
