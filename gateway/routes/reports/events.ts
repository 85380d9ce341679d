import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Nullable } from "../../../lib/fields"
import { Commission, showCommission } from "../../../services/commissions/contract"
import { showClick, showLead, showSale } from "../../../services/tracking/contract"
import { inProgram } from "../../http/access"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"
import { EventView, eventView } from "../../views/event-view"

const SaleView = Type.Object({
  ...Type.Omit(EventView(showSale.reply), ["commission_id"]).properties,
  commission: Nullable(Commission),
})

/** One click, lead or sale with all stored fields, by the id that lists show (behaviour 5.3.3). */
export const events = [
  route(
    {
      id: "showClick",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/clicks/:clickEventId",
      summary: "Show a click with all stored fields",
      access: inProgram("tracking:read", ({ program_id, params }) =>
        call(showClick, { program_id, click_event_id: pathId(params.clickEventId) }),
      ),
      answers: { 200: One(EventView(showClick.reply)) },
    },
    ({ found }) => ({ data: eventView(found) }),
  ),
  route(
    {
      id: "showLead",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/leads/:leadEventId",
      summary: "Show a lead with all stored fields",
      access: inProgram("tracking:read", ({ program_id, params }) =>
        call(showLead, { program_id, lead_event_id: pathId(params.leadEventId) }),
      ),
      answers: { 200: One(EventView(showLead.reply)) },
    },
    ({ found }) => ({ data: eventView(found) }),
  ),
  route(
    {
      id: "showSale",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/sales/:saleId",
      summary: "Show a sale with all stored fields, and its commission",
      access: inProgram("program:read", ({ program_id, params }) =>
        call(showSale, { program_id, sale_id: pathId(params.saleId) }),
      ),
      answers: { 200: One(SaleView) },
    },
    async ({ found }) => {
      const { commission_id, ...sale } = eventView(found)
      const { id: sale_id, program_id } = sale
      const commission =
        commission_id && (await call(showCommission, { program_id, commission_id, sale_id }))
      return { data: { ...sale, commission: commission || null } }
    },
  ),
]
