import { type Static, Type } from "@sinclair/typebox"
import type { Context } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse, type ReplyOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { Id } from "../../../lib/fields"
import { isCurrency } from "../../../lib/money"
import { currentContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { recordSale, Sale, TestSale } from "../../../services/tracking/contract"
import { presentFieldsOf, readBody } from "../../http/body"
import { programOf } from "../../http/caller"
import { isTest, recordTest, TestReply } from "./test-mode"

const SALE_TIMEOUT_MS = 3_000 // for each ask; tracking itself waits 2 s for a commission

const Recorded = { success: Type.Literal(true), sale_id: Id, message: Type.String() }
const Unearned = { ...Recorded, commission_id: Type.Null() }

export const SaleReply = Type.Union([
  Type.Object({ ...Recorded, commission_id: Id }),
  Type.Object({
    ...Unearned,
    attributed: Type.Literal(false),
    reason: Type.Literal("attribution_window_expired"),
    click_age_days: Type.Integer(),
    window_days: Type.Integer(),
  }),
  Type.Object({
    ...Unearned,
    attributed: Type.Literal(true),
    reason: Type.Literal("commission_duration_ended"),
  }),
  TestReply,
])

/** The one refusal of another shape (specification 7.1): do not send the sale again. */
export const Duplicate = Type.Object(
  {
    error: Type.Literal("Conflict"),
    message: Type.String(),
    statusCode: Type.Literal(409),
  },
  { description: "The transaction_id was recorded already: do not try again." },
)

/** Records a sale, with the commission that it earns (specification 4.4). */
export async function postSale({ request }: Context): Promise<Static<typeof SaleReply>> {
  const body = await readBody(request, "beacon") // 413, 415
  const program_id = await programOf(request) // 401
  const fields = presentFieldsOf(body) // 400
  if (isTest(fields)) {
    const sale = inUpperCase(parse(TestSale, fields))
    return recordTest({ program_id, code: null, event: { sale } })
  }
  const sale = inUpperCase(parse(Sale, fields))

  const asked = { request_id: currentContext().request_id, program_id, sale }
  return view(await retryOnSilence(() => call(recordSale, asked, SALE_TIMEOUT_MS)))
}

function inUpperCase<Fields extends TestSale>(sale: Fields): Fields {
  if (sale.currency === undefined) return sale
  const currency = sale.currency.toUpperCase()
  if (isCurrency(currency)) return { ...sale, currency }
  throw new Fault("invalid", "currency must be an ISO 4217 code like USD.")
}

/** A sale that earned nothing says why (contract 4). */
function view(recorded: ReplyOf<typeof recordSale>): Static<typeof SaleReply> {
  const { sale_id, commission_id, reason, click_age_days, window_days } = recorded
  const sale = { success: true, sale_id, commission_id: null } as const
  switch (reason) {
    case null: {
      const message = "The sale and its commission are recorded."
      return { ...sale, commission_id: commission_id!, message }
    }
    case "attribution_window_expired": {
      const message = "No commission was created: the attribution window has expired."
      return { ...sale, attributed: false, reason, click_age_days, window_days, message }
    }
    case "commission_duration_ended": {
      const message = "No commission was created: the subscription no longer earns one."
      return { ...sale, attributed: true, reason, message }
    }
  }
}
