import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  Balance,
  LedgerEntry,
  listLedger,
  showBalances,
} from "../../../services/commissions/contract"
import type { Access } from "../../http/access"
import { partner } from "../../http/access"
import { partnerOf } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import {
  AsPartner,
  namesProgram,
  OfProgram,
  partnerInQueriedProgram,
} from "../../http/partner-access"
import { route } from "../../http/route"

type Owner = { account_id: number } | { program_id: number; partner_id: number }

/** The partner in the program that the query names; without one, the account in all its programs. */
const owner: Access<{ of: Owner }> = {
  ...partner,
  async authorize(request, params, body) {
    if (!namesProgram(request)) return { of: await partnerOf(request) }
    const { joined } = await partnerInQueriedProgram.authorize(request, params, body)
    const { program_id, partner_id } = joined
    return { of: { program_id, partner_id } }
  },
}

const Currency = Type.Object({
  currency: Type.Optional(
    Type.String({ pattern: "^[A-Z]{3}$", description: "an ISO 4217 code like USD" }),
  ),
})

const NOT_FOUND = "Program not found."

/** What a partner is owed and was paid, and by which entries (behaviour 17.10.4). */
export const partnerLedger = [
  route(
    {
      id: "showPartnerBalances",
      method: "GET",
      path: "/api/partner/balances",
      summary: "Show the balances of a partner by currency, in one program or in all",
      access: owner,
      query: [Type.Partial(OfProgram), AsPartner],
      answers: { 200: Type.Object({ data: Type.Array(Balance) }), 404: NOT_FOUND },
    },
    async ({ of }) => ({ data: (await call(showBalances, { of })).balances }),
  ),
  route(
    {
      id: "listPartnerLedger",
      method: "GET",
      path: "/api/partner/ledger",
      summary: "List the ledger entries of a partner in a program, newest first",
      access: partnerInQueriedProgram,
      query: [OfProgram, AsPartner, Currency, Page],
      answers: { 200: Listed(LedgerEntry), 404: NOT_FOUND },
    },
    async ({ joined: { program_id, partner_id }, query: { currency }, page }) => {
      const of = { program_id, partner_id, currency }
      const { rows, total } = await wholePage(page, slice => call(listLedger, { ...of, slice }))
      return listOf(rows, total, page)
    },
  ),
]
