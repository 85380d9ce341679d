import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Page, type Slice } from "../../../lib/fields"
import { Day, type Range, rangeOf } from "../../../lib/range"
import { listSettledSales } from "../../../services/commissions/contract"
import { listPartnerSales, showPartnerSales } from "../../../services/tracking/contract"
import { Listed, listOf, wholePage } from "../../http/list"
import { AsPartner, partnerInProgram } from "../../http/partner-access"
import { route } from "../../http/route"
import { ConversionView, conversionViews } from "../../views/conversion-view"

const Filter = Type.Object({
  status: Type.Optional(ConversionView.properties.status),
  dateFrom: Day,
  dateTo: Day,
})

/** The sales of a partner, each with what has become of it (behaviour 17.10.7). */
export const partnerConversions = [
  route(
    {
      id: "listOwnConversions",
      method: "GET",
      path: "/api/partner/programs/:programId/conversions",
      summary: "List the sales of a partner and why each was or was not paid, newest first",
      access: partnerInProgram,
      query: [Filter, AsPartner, Page],
      answers: { 200: Listed(ConversionView) },
    },
    async ({ program, joined: { program_id, partner_id }, query, page }) => {
      const partner = { program_id, partner_id }
      const filter = { status: query.status, ...rangeOf(query) }
      const { rows, total } = await wholePage(page, slice => readSales(partner, filter, slice))
      return listOf(await conversionViews(program, partner, rows), total, page)
    },
  ),
]

type Partner = { program_id: number; partner_id: number }
type Wanted = Pick<Static<typeof Filter>, "status"> & Range

/** commissions knows the status of a sale, tracking all else, and which sales earned nothing. */
async function readSales(partner: Partner, { status, ...range }: Wanted, slice: Slice) {
  if (status === undefined || status === "none") {
    const filter = { ...range, is_unpaid: status === "none" }
    return call(listPartnerSales, { ...partner, filter, slice })
  }
  const settled = { ...partner, status, ...range, slice }
  const { sale_ids, total } = await call(listSettledSales, settled)
  const { sales } = await call(showPartnerSales, { ...partner, sale_ids })
  return { rows: sales, total }
}
