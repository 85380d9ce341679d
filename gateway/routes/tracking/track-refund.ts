import { type Static, Type } from "@sinclair/typebox"
import type { Context } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse, type ReplyOf } from "../../../lib/bus/operation"
import { Id, OneOf } from "../../../lib/fields"
import { major } from "../../../lib/money"
import { currentContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { findTestSale, Refund, refundSale, TestRefund } from "../../../services/tracking/contract"
import { presentFieldsOf, readBody } from "../../http/body"
import { programOf } from "../../http/caller"
import { isTest, TestReply, testReply } from "./test-mode"

const REFUND_TIMEOUT_MS = 3_000 // for each ask; tracking itself waits 2 s for commissions

const Done = { success: Type.Literal(true) }

export const RefundReply = Type.Union([
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

/** Refunds a sale and takes back what it earned (specification 4.5). */
export async function postRefund({ request }: Context): Promise<Static<typeof RefundReply>> {
  const body = await readBody(request, "beacon") // 413, 415
  const program_id = await programOf(request) // 401
  const fields = presentFieldsOf(body) // 400
  if (isTest(fields)) {
    const { transaction_id = null } = parse(TestRefund, fields)
    const { event_id } = await call(findTestSale, { program_id, transaction_id })
    return testReply({ event_id, program_id }, "A test refund changes nothing.")
  }
  const refund = parse(Refund, fields)

  const asked = { request_id: currentContext().request_id, program_id, refund }
  return view(await retryOnSilence(() => call(refundSale, asked, REFUND_TIMEOUT_MS)))
}

function view(refunded: ReplyOf<typeof refundSale>): Static<typeof RefundReply> {
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
