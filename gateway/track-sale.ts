import type { Context } from "elysia"
import { call } from "../lib/bus"
import { parse, type ReplyOf } from "../lib/contract"
import { insist } from "../lib/doubt"
import { currentErrand } from "../lib/errand"
import { Fault } from "../lib/fault"
import { isCurrency } from "../lib/money"
import { recordSale, Sale, TestSale } from "../services/tracking/contract"
import { presentFieldsOf, readBody } from "./body"
import { programOf } from "./caller"
import { isTest, recordTest } from "./test-mode"

const SALE_TIMEOUT_MS = 3_000 // for each ask; tracking itself waits 2 s for a commission

/** Records a sale, with the commission that it earns (specification 4.4). */
export async function postSale({ request }: Context) {
  const body = await readBody(request, "beacon") // 413, 415
  const program_id = await programOf(request) // 401
  const fields = presentFieldsOf(body) // 400
  if (isTest(fields)) {
    const sale = inUpperCase(parse(TestSale, fields))
    return recordTest({ program_id, code: null, event: { sale } })
  }
  const sale = inUpperCase(parse(Sale, fields))

  const asked = { request_id: currentErrand().request_id, program_id, sale }
  return view(await insist(() => call(recordSale, asked, SALE_TIMEOUT_MS)))
}

function inUpperCase<Fields extends TestSale>(sale: Fields): Fields {
  if (sale.currency === undefined) return sale
  const currency = sale.currency.toUpperCase()
  if (isCurrency(currency)) return { ...sale, currency }
  throw new Fault("invalid", "currency must be an ISO 4217 code like USD.")
}

/** A sale that earned nothing says why (contract 4). */
function view(recorded: ReplyOf<typeof recordSale>) {
  const { sale_id, commission_id, reason, click_age_days, window_days } = recorded
  const sale = { success: true, sale_id, commission_id }
  switch (reason) {
    case null:
      return { ...sale, message: "The sale and its commission are recorded." }
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
