import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Page, type Slice } from "../../../lib/fields"
import { listSettledSales } from "../../../services/commissions/contract"
import { listPartnerSales, showPartnerSales } from "../../../services/tracking/contract"
import { boundsOf, Dates } from "../../http/dates"
import { Listed, listOf, wholePage } from "../../http/list"
import { AsPartner, partnerInProgram } from "../../http/partner-access"
import { route } from "../../http/route"
import { ConversionView, conversionViews } from "../../views/conversion-view"

const Filter = Type.Object({ status: Type.Optional(ConversionView.properties.status) })

/** The sales of a partner, each with what has become of it (behaviour 17.10.7). */
export const partnerConversions = [
  route(
    {
      id: "listOwnConversions",
      method: "GET",
      path: "/api/partner/programs/:programId/conversions",
      summary: "List the sales of a partner and why each was or was not paid, newest first",
      access: partnerInProgram,
      query: [Filter, Dates, AsPartner, Page],
      answers: { 200: Listed(ConversionView) },
    },
    async ({ joined: { program_id, partner_id }, query, page }) => {
      const partner = { program_id, partner_id }
      const filter = { status: query.status, ...boundsOf(query) }
      const { rows, total } = await wholePage(page, slice => readSales(partner, filter, slice))
      return listOf(await conversionViews(partner, rows), total, page)
    },
  ),
]

type Partner = { program_id: number; partner_id: number }
type Wanted = Static<typeof Filter> & { from?: string; to?: string }

/** commissions knows the status of a sale, tracking all else, and which sales earned nothing. */
async function readSales(partner: Partner, { status, from, to }: Wanted, slice: Slice) {
  const bounds = { ...(from && { from }), ...(to && { to }) }
  if (status === undefined || status === "none") {
    const filter = { ...bounds, is_unpaid: status === "none" }
    return call(listPartnerSales, { ...partner, filter, slice })
  }
  const settled = { ...partner, status, ...bounds, slice }
  const { sale_ids, total } = await call(listSettledSales, settled)
  const { sales } = await call(showPartnerSales, { ...partner, sale_ids })
  return { rows: sales, total }
}
