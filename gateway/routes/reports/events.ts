import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { Nullable } from "../../../lib/fields"
import { Commission, showCommission } from "../../../services/commissions/contract"
import { showClick, showLead, showSale } from "../../../services/tracking/contract"
import { authorizeInside } from "../../http/caller"
import { EventView, eventView } from "../../http/event-view"
import { pathId } from "../../http/query"
import { manager, One, PERMITTED, reads } from "../../openapi/description"

const SaleView = Type.Object({
  ...Type.Omit(EventView(showSale.reply), ["commission_id"]).properties,
  commission: Nullable(Commission),
})

/** A click, a lead or a sale with all that was stored of it, by the id of event listings. */
export const events = new Elysia()
  .get(
    "/:id/clicks/:clickEventId",
    async ({ request, params }) => {
      const { found } = await authorizeInside(request, "tracking:read", params.id, program_id =>
        call(showClick, { program_id, click_event_id: pathId(params.clickEventId) }),
      )
      return { data: eventView(found) }
    },
    reads({
      id: "showClick",
      summary: "Show a click with all that was stored of it",
      by: PERMITTED,
      answers: { 200: One(EventView(showClick.reply)) },
    }),
  )
  .get(
    "/:id/leads/:leadEventId",
    async ({ request, params }) => {
      const { found } = await authorizeInside(request, "tracking:read", params.id, program_id =>
        call(showLead, { program_id, lead_event_id: pathId(params.leadEventId) }),
      )
      return { data: eventView(found) }
    },
    reads({
      id: "showLead",
      summary: "Show a lead with all that was stored of it",
      by: PERMITTED,
      answers: { 200: One(EventView(showLead.reply)) },
    }),
  )
  .get(
    "/:id/sales/:saleId",
    async ({ request, params }) => {
      const { found } = await authorizeInside(request, "program:read", params.id, program_id =>
        call(showSale, { program_id, sale_id: pathId(params.saleId) }),
      )
      const { commission_id, ...sale } = eventView(found)
      const { program_id } = sale
      const commission =
        commission_id && (await call(showCommission, { program_id, commission_id }))
      return { data: { ...sale, commission } }
    },
    reads({
      id: "showSale",
      summary: "Show a sale with all that was stored of it, and its commission",
      by: manager("program:read"),
      answers: { 200: One(SaleView) },
    }),
  )
