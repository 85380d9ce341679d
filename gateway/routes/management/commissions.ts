import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import {
  approveCommission,
  Commission,
  CommissionStatus,
  listCommissions,
  markCommissionPaid,
  Rejection,
  rejectCommission,
  showCommission,
} from "../../../services/commissions/contract"
import { fieldsIfAny, readBody } from "../../http/body"
import { authorizeInside, authorizeProgram } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId, queryOf } from "../../http/query"
import { manager, One, reads, writes } from "../../openapi/description"

const Filter = Type.Object({
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(
    Type.String({ pattern: "^[1-9][0-9]{0,14}$", description: "a positive integer" }),
  ),
})

const SETTLED = "Its status does not allow this step."

/** What partners have earned, and what becomes of it (contract 3). */
export const commissions = new Elysia()
  .get(
    "/:id/commissions",
    async ({ request, params }) => {
      const { id } = await authorizeProgram(request, "commission:read", params.id)
      const { status, partner_id } = queryOf(request, Filter)
      const filter = { status, partner_id: partner_id === undefined ? undefined : +partner_id }
      const page = pageOf(request)
      const { rows, total } = await wholePage(page, slice =>
        call(listCommissions, { program_id: id, filter, slice }),
      )
      return listOf(rows, total, page)
    },
    reads({
      id: "listCommissions",
      summary: "List the commissions of a program, newest first",
      by: manager("program:read"),
      query: [Filter, Page],
      answers: { 200: Listed(Commission) },
    }),
  )
  .post(
    "/:id/commissions/:commissionId/approve",
    async ({ request, params }) => {
      const { commission } = await settling(request, params)
      return { data: await call(approveCommission, commission) }
    },
    writes({
      id: "approveCommission",
      summary: "Approve a pending commission, whatever its hold",
      by: manager("program:update"),
      answers: { 200: One(Commission), 409: SETTLED },
    }),
  )
  .post(
    "/:id/commissions/:commissionId/reject",
    async ({ request, params }) => {
      const { commission, fields } = await settling(request, params)
      const rejection = parse(Rejection, fields)
      return { data: await call(rejectCommission, { ...commission, ...rejection }) }
    },
    writes({
      id: "rejectCommission",
      summary: "Reject a commission that is not paid; the partner is told why",
      by: manager("program:update"),
      body: Rejection,
      mayOmitBody: true,
      answers: { 200: One(Commission), 409: SETTLED },
    }),
  )
  .post(
    "/:id/commissions/:commissionId/mark-paid",
    async ({ request, params }) => {
      const { commission } = await settling(request, params)
      return { data: await call(markCommissionPaid, commission) }
    },
    writes({
      id: "markCommissionPaid",
      summary: "Mark an approved commission as paid; the partner is told",
      by: manager("program:update"),
      answers: { 200: One(Commission), 409: SETTLED },
    }),
  )

/** The commission of the path, where the caller may settle it, and the fields of the body. */
async function settling(request: Request, params: { id: string; commissionId: string }) {
  const body = await readBody(request)
  const { program, found } = await authorizeInside(
    request,
    "commission:settle",
    params.id,
    program_id => call(showCommission, { program_id, commission_id: pathId(params.commissionId) }),
  )
  const commission = { program_id: program.id, commission_id: found.id }
  return { commission, fields: fieldsIfAny(body) }
}
