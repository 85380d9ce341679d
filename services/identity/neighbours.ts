import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { type Neighbour, watchNeighbours } from "../../lib/neighbours"
import * as commissions from "../commissions/contract"
import * as delivery from "../delivery/contract"
import * as tracking from "../tracking/contract"
import type * as contract from "./contract"
import { sql } from "./db"

const NEIGHBOURS: Neighbour[] = [
  {
    name: "tracking",
    showReferences: () => call(tracking.showReferences, {}),
    issued: { programs: "programs_id_seq" },
  },
  {
    name: "commissions",
    showReferences: () => call(commissions.showReferences, {}),
    issued: {
      programs: "programs_id_seq",
      workspaces: "workspaces_id_seq",
      accounts: "partner_accounts_id_seq",
    },
  },
  {
    name: "delivery",
    mayBeAway: true,
    showReferences: () => call(delivery.showReferences, {}),
    issued: {
      programs: "programs_id_seq",
      workspaces: "workspaces_id_seq",
      accounts: "partner_accounts_id_seq",
    },
  },
]

export const neighbours = watchNeighbours("identity", sql, NEIGHBOURS, {
  compareBefore: ["createProgram", "signUp", "acceptInvitation"],
})

export async function showReferences() {
  const [references] = await sql<[ReplyOf<typeof contract.showReferences>]>`
    select coalesce(max(partner_id), 0) as partners
    from partner_bindings
  `
  return references
}
