import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { showCommission } from "../services/commissions/contract"
import { showSale } from "../services/tracking/contract"
import { permitOn } from "./caller"
import { pathId } from "./query"

/** A sale with all that was stored of it, and what it earned (contract 3). */
export const sales = new Elysia().get("/:id/sales/:saleId", async ({ request, params }) => {
  const { found } = await permitOn(request, "program:read", params.id, program_id =>
    call(showSale, { program_id, sale_id: pathId(params.saleId) }),
  )
  const { commission_id, created_at, ...sale } = found
  const { program_id } = sale
  const commission = commission_id && (await call(showCommission, { program_id, commission_id }))
  return { data: { ...sale, createdAt: created_at, commission } }
})
