import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { type Neighbour, watchNeighbours } from "../../lib/neighbours"
import * as commissions from "../commissions/contract"
import type * as contract from "./contract"
import { sql } from "./db"

/** Commissions are booked to the numbers of sales. Those of clicks and customers stay in feeds. */
const NEIGHBOURS: Neighbour[] = [
  {
    name: "commissions",
    showReferences: () => call(commissions.showReferences, {}),
    issued: { sales: "affiliate_sale_events_id_seq" },
  },
]

export const neighbours = watchNeighbours("tracking", sql, NEIGHBOURS, {
  neverWait: ["recordClick"],
})

const NEWEST_SALES = 1_000 // theirs are the highest numbers of commissions, and no index has them

export async function showReferences() {
  const [references] = await sql<[ReplyOf<typeof contract.showReferences>]>`
    select
      coalesce((select max(program_id) from programs), 0) as programs,
      coalesce((select max(partner_id) from partner_programs), 0) as partners,
      coalesce(max(commission_id), 0) as commissions
    from (
      select commission_id
      from affiliate_sale_events
      order by id desc
      limit ${NEWEST_SALES}
    ) as sale
  `
  return references
}
