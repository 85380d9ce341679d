import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { showCommission } from "../services/commissions/contract"
import { showClick, showLead, showSale } from "../services/tracking/contract"
import { permitOn } from "./caller"
import { pathId } from "./query"

/** A click, a lead or a sale with all that was stored of it, by the id of event listings. */
export const events = new Elysia()
  .get("/:id/clicks/:clickEventId", async ({ request, params }) => {
    const { found } = await permitOn(request, "tracking:read", params.id, program_id =>
      call(showClick, { program_id, click_event_id: pathId(params.clickEventId) }),
    )
    return { data: timed(found) }
  })
  .get("/:id/leads/:leadEventId", async ({ request, params }) => {
    const { found } = await permitOn(request, "tracking:read", params.id, program_id =>
      call(showLead, { program_id, lead_event_id: pathId(params.leadEventId) }),
    )
    return { data: timed(found) }
  })
  .get("/:id/sales/:saleId", async ({ request, params }) => {
    const { found } = await permitOn(request, "program:read", params.id, program_id =>
      call(showSale, { program_id, sale_id: pathId(params.saleId) }),
    )
    const { commission_id, ...sale } = timed(found)
    const { program_id } = sale
    const commission = commission_id && (await call(showCommission, { program_id, commission_id }))
    return { data: { ...sale, commission } }
  })

/** Events say createdAt (specification 2). */
const timed = <Event extends { created_at: string }>({ created_at, ...event }: Event) => ({
  ...event,
  createdAt: created_at,
})
