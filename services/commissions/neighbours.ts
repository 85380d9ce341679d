import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { type Neighbour, watchNeighbours } from "../../lib/neighbours"
import * as delivery from "../delivery/contract"
import * as identity from "../identity/contract"
import * as tracking from "../tracking/contract"
import type * as contract from "./contract"
import { sql } from "./db"

const NEIGHBOURS: Neighbour[] = [
  {
    name: "tracking",
    showReferences: () => call(tracking.showReferences, {}),
    issued: { partners: "partners_id_seq", commissions: "commissions_id_seq" },
  },
  {
    name: "identity",
    showReferences: () => call(identity.showReferences, {}),
    issued: { partners: "partners_id_seq" },
  },
  {
    name: "delivery",
    mayBeAway: true,
    showReferences: () => call(delivery.showReferences, {}),
    issued: { partners: "partners_id_seq" },
  },
]

export const neighbours = watchNeighbours("commissions", sql, NEIGHBOURS, {
  compareBefore: ["createPartner"],
})

export async function showReferences() {
  const [references] = await sql<[ReplyOf<typeof contract.showReferences>]>`
    select
      coalesce((select max(program_id) from programs), 0) as programs,
      coalesce((select max(workspace_id) from programs), 0) as workspaces,
      coalesce((select max(account_id) from partners), 0) as accounts,
      coalesce((select max(sale_id) from commissions), 0) as sales
  `
  return references
}
