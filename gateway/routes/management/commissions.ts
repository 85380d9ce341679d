import { Type } from "@sinclair/typebox"
import { BULK_TIMEOUT_MS, BulkRows } from "../../../lib/bulk"
import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  approveCommission,
  Commission,
  CommissionSort,
  CommissionStep,
  CommissionSum,
  LedgerEntry,
  listCommissions,
  listLedger,
  markCommissionPaid,
  Rejection,
  rejectCommission,
  settleCommissions,
  showCommission,
  sumCommissions,
} from "../../../services/commissions/contract"
import { inProgram, program } from "../../http/access"
import { CommissionQuery, filterOf } from "../../http/commission-filter"
import { Listed, listOf, wholePage } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"

const Sort = Type.Object({ sort: Type.Optional(CommissionSort) })

const ARCHIVED = "The program is archived."
const IMPOSSIBLE = "The commission's status does not allow this step."
const IMPOSSIBLE_OR_ARCHIVED =
  "The commission's status does not allow it, or the program is archived."

const find = ({ program_id, params }: { program_id: number; params: Record<string, string> }) =>
  call(showCommission, { program_id, commission_id: pathId(params.commissionId) })

const oneToSettle = inProgram("commission:settle", find)

/** The commissions of a program: list, ledger, approve, reject and mark as paid (behaviour 6.3.2, 6.4). */
export const commissions = [
  route(
    {
      id: "listCommissions",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/commissions",
      summary: "List the commissions of a program, newest first",
      access: program("commission:read"),
      query: [CommissionQuery, Sort, Page],
      answers: { 200: Listed(Commission) },
    },
    async ({ program, query: { sort, ...query }, page }) => {
      const filter = await filterOf(program.id, query)
      if (!filter) return listOf([], 0, page)
      const { rows, total } = await wholePage(page, slice =>
        call(listCommissions, { program_id: program.id, filter, sort, slice }),
      )
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "sumCommissions",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/commissions/summary",
      summary: "Sum up the commissions of a program by status and currency",
      access: program("commission:read"),
      query: [CommissionQuery],
      answers: { 200: Type.Object({ data: Type.Array(CommissionSum) }) },
    },
    async ({ program, query }) => {
      const filter = await filterOf(program.id, query)
      if (!filter) return { data: [] }
      return { data: (await call(sumCommissions, { program_id: program.id, filter })).sums }
    },
  ),
  route(
    {
      id: "settleCommissions",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/commissions/bulk",
      summary: "Approve or reject up to 500 commissions. A refused one leaves the others done",
      access: program("commission:settle"),
      changesProgram: true,
      body: CommissionStep,
      answers: { 200: Type.Object({ data: BulkRows }), 409: ARCHIVED },
    },
    async ({ program, body }) => {
      const request = { program_id: program.id, ...body }
      return { data: (await call(settleCommissions, request, BULK_TIMEOUT_MS)).rows }
    },
  ),
  route(
    {
      id: "listCommissionEntries",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/commissions/:commissionId/entries",
      summary: "List the ledger entries of a commission, newest first",
      access: inProgram("commission:read", find),
      query: [Page],
      answers: { 200: Listed(LedgerEntry) },
    },
    async ({ program, found, page }) => {
      const of = { program_id: program.id, partner_id: found.partner_id, commission_id: found.id }
      const { rows, total } = await wholePage(page, slice => call(listLedger, { ...of, slice }))
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "approveCommission",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/commissions/:commissionId/approve",
      summary: "Approve a pending commission before its hold ends",
      access: oneToSettle,
      changesProgram: true,
      answers: { 200: One(Commission), 409: IMPOSSIBLE_OR_ARCHIVED },
    },
    async ({ program, found }) => ({
      data: await call(approveCommission, { program_id: program.id, commission_id: found.id }),
    }),
  ),
  route(
    {
      id: "rejectCommission",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/commissions/:commissionId/reject",
      summary: "Reject an unpaid commission. The partner is notified of the reason",
      access: oneToSettle,
      changesProgram: true,
      body: Rejection,
      answers: { 200: One(Commission), 409: IMPOSSIBLE_OR_ARCHIVED },
    },
    async ({ program, found, body: rejection }) => {
      const commission = { program_id: program.id, commission_id: found.id }
      return { data: await call(rejectCommission, { ...commission, ...rejection }) }
    },
  ),
  route(
    {
      id: "markCommissionPaid",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/commissions/:commissionId/mark-paid",
      summary: "Mark an approved commission as paid. The partner is notified",
      access: oneToSettle,
      answers: { 200: One(Commission), 409: IMPOSSIBLE },
    },
    async ({ program, found }) => ({
      data: await call(markCommissionPaid, { program_id: program.id, commission_id: found.id }),
    }),
  ),
]
