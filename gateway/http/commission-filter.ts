import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { asFault } from "../../lib/fault"
import { Name, OneOf } from "../../lib/fields"
import { Day, rangeOf } from "../../lib/range"
import { type CommissionFilter, CommissionStatus } from "../../services/commissions/contract"
import { explainSale } from "../../services/tracking/contract"
import { QueryId } from "./query"

/** The query of GET …/commissions and its summary (behaviour 6.4). */
export const CommissionQuery = Type.Object({
  commission_id: Type.Optional(QueryId),
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(QueryId),
  transaction_id: Type.Optional(Name),
  needs_approval: Type.Optional(OneOf("true", "false")),
  other_currency: Type.Optional(OneOf("true", "false")),
  dateFrom: Day,
  dateTo: Day,
})

/** The filter that a query describes. Null: nothing can match. Throws "invalid". */
export async function filterOf(
  program_id: number,
  query: Static<typeof CommissionQuery>,
): Promise<CommissionFilter | null> {
  const { commission_id, status, partner_id, transaction_id, needs_approval, other_currency } =
    query
  const { from, to } = rangeOf(query)
  const sale_id = transaction_id && (await findSaleId(program_id, transaction_id))
  if (sale_id === null) return null
  return {
    commission_id: numberIn(commission_id),
    status,
    partner_id: numberIn(partner_id),
    sale_id: sale_id || undefined,
    created_from: from,
    created_to: to,
    needs_approval: needs_approval && needs_approval === "true",
    is_other_currency: other_currency && other_currency === "true",
  } as CommissionFilter
}

const numberIn = (id: string | undefined) => (id === undefined ? undefined : +id)

/** Tracking finds a sale by its transaction_id: commissions has no index of them. */
async function findSaleId(program_id: number, transaction_id: string): Promise<number | null> {
  const request = { program_id, partner_id: null, subject: { transaction_id } }
  const { sale } = await call(explainSale, request).catch(error => {
    if (asFault(error).kind === "missing") return { sale: null }
    throw error
  })
  return sale?.id ?? null
}
