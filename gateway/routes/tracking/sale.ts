import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { ReplyOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { Id } from "../../../lib/fields"
import { isCurrency } from "../../../lib/money"
import { currentContext } from "../../../lib/request-context"
import { retryOnSilence } from "../../../lib/retry"
import { recordSale, Sale, TestSale } from "../../../services/tracking/contract"
import { trackingToken } from "../../http/access"
import { route } from "../../http/route"
import { observeCall } from "./observe-call"
import { isTest, recordTest, TestReply } from "./test-mode"
import { trackingFields } from "./tracking-fields"

const SALE_TIMEOUT_MS = 3_000 // for each try; tracking waits 2 s for a commission

const LINE_ITEMS_MAX_BYTES = 16 * 1024

const Recorded = { success: Type.Literal(true), sale_id: Id, message: Type.String() }
const NoCommission = { ...Recorded, commission_id: Type.Null() }

const SaleReply = Type.Union([
  Type.Object({ ...Recorded, commission_id: Id }),
  Type.Object({
    ...NoCommission,
    attributed: Type.Literal(false),
    reason: Type.Literal("attribution_window_expired"),
    click_age_days: Type.Integer(),
    window_days: Type.Integer(),
  }),
  Type.Object({
    ...NoCommission,
    attributed: Type.Literal(true),
    reason: Type.Literal("commission_duration_ended"),
  }),
  TestReply,
])

/** The only refusal with other fields (behaviour 4.3.2). */
const Duplicate = Type.Object(
  {
    error: Type.Literal("Conflict"),
    message: Type.String(),
    statusCode: Type.Literal(409),
  },
  { description: "A sale with this transaction_id is already recorded. Do not retry." },
)

const fieldsOfSale = trackingFields(Sale)

/** Records a sale and the commission it earns (behaviour 4.3). */
export const sale = route(
  {
    id: "recordSale",
    method: "POST",
    path: "/api/v1/track/sale",
    aliases: ["/api/tracking/sale"],
    summary: "Record a sale and the commission it earns",
    description:
      "`customer_key` or `click_id` must name a customer. `line_items` take at most 16 KiB. " +
      "In test mode `transaction_id` and `amount_cents` may be left out.",
    access: trackingToken,
    isBeacon: true,
    observe: observeCall("sale"),
    body: Sale,
    read(body) {
      const fields = fieldsOfSale(body)
      return { schema: isTest(fields) ? TestSale : Sale, fields }
    },
    answers: {
      200: SaleReply,
      409: Duplicate,
      500: "The commission could not be created. Send the same request again.",
    },
  },
  async ({ program_id, body }) => {
    const sale = inUpperCase(body)
    refuseLargeItems(sale)
    if (isTest(sale)) return recordTest({ program_id, code: null, event: { sale } })

    const request = { request_id: currentContext().request_id, program_id, sale }
    return replyOf(await retryOnSilence(() => call(recordSale, request, SALE_TIMEOUT_MS)))
  },
)

function inUpperCase(sale: Sale): Sale {
  if (sale.currency === undefined) return sale
  const currency = sale.currency.toUpperCase()
  if (isCurrency(currency)) return { ...sale, currency }
  throw new Fault("invalid", "currency must be an ISO 4217 code like USD.")
}

function refuseLargeItems({ line_items }: Sale) {
  if (line_items === undefined) return
  if (Buffer.byteLength(JSON.stringify(line_items)) <= LINE_ITEMS_MAX_BYTES) return
  throw new Fault("invalid", "line_items must be at most 16 KiB as JSON.")
}

/** Builds the reply. A sale without a commission has a reason (behaviour 4.3.3). */
function replyOf(recorded: ReplyOf<typeof recordSale>): Static<typeof SaleReply> {
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
