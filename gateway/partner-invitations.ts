import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { showPartner } from "../services/commissions/contract"
import { invitePartner } from "../services/identity/contract"
import { fieldsIfAny, readBody } from "./body"
import { managerOf, permit } from "./caller"
import { pathId } from "./query"

const INVITE_TIMEOUT_MS = 3_000 // identity asks commissions, and asks again

/** Invites the person behind a partner to an account (contract 2). */
export const partnerInvitations = new Elysia().post(
  "/:id/partners/:partnerId/invite",
  async ({ request, params, set }) => {
    const body = await readBody(request)
    const { id: program_id } = await permit(await managerOf(request), "program:update", params.id)
    const named = { program_id, partner_id: pathId(params.partnerId) }
    await call(showPartner, named) // 404 comes before 400
    fieldsIfAny(body)
    const data = await call(invitePartner, named, INVITE_TIMEOUT_MS)
    set.status = 201
    return { data }
  },
  { parse: "none" },
)
