import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { parse } from "../lib/contract"
import {
  approveCommission,
  CommissionStatus,
  listCommissions,
  markCommissionPaid,
  Rejection,
  rejectCommission,
  showCommission,
} from "../services/commissions/contract"
import { fieldsIfAny, readBody, UNREAD } from "./body"
import { permit, permitOn } from "./caller"
import { listOf, wholePage } from "./list"
import { pageOf, pathId, queryOf } from "./query"

const Filter = Type.Object({
  status: Type.Optional(CommissionStatus),
  partner_id: Type.Optional(
    Type.String({ pattern: "^[1-9][0-9]{0,14}$", description: "a positive integer" }),
  ),
})

/** What partners have earned, and what becomes of it (contract 3). */
export const commissions = new Elysia()
  .get("/:id/commissions", async ({ request, params }) => {
    const { id } = await permit(request, "commission:read", params.id)
    const { status, partner_id } = queryOf(request, Filter)
    const filter = { status, partner_id: partner_id === undefined ? undefined : +partner_id }
    const page = pageOf(request)
    const { rows, total } = await wholePage(page, slice =>
      call(listCommissions, { program_id: id, filter, slice }),
    )
    return listOf(rows, total, page)
  })
  .post(
    "/:id/commissions/:commissionId/approve",
    async ({ request, params }) => {
      const { commission } = await settling(request, params)
      return { data: await call(approveCommission, commission) }
    },
    UNREAD,
  )
  .post(
    "/:id/commissions/:commissionId/reject",
    async ({ request, params }) => {
      const { commission, fields } = await settling(request, params)
      const rejection = parse(Rejection, fields)
      return { data: await call(rejectCommission, { ...commission, ...rejection }) }
    },
    UNREAD,
  )
  .post(
    "/:id/commissions/:commissionId/mark-paid",
    async ({ request, params }) => {
      const { commission } = await settling(request, params)
      return { data: await call(markCommissionPaid, commission) }
    },
    UNREAD,
  )

/** The commission of the path, where the caller may settle it, and the fields of the body. */
async function settling(request: Request, params: { id: string; commissionId: string }) {
  const body = await readBody(request)
  const { program, found } = await permitOn(request, "commission:settle", params.id, program_id =>
    call(showCommission, { program_id, commission_id: pathId(params.commissionId) }),
  )
  const commission = { program_id: program.id, commission_id: found.id }
  return { commission, fields: fieldsIfAny(body) }
}
