import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { showPartner } from "../../../services/commissions/contract"
import { invitePartner } from "../../../services/identity/contract"
import { fieldsIfAny, readBody } from "../../http/body"
import { authorizeInside } from "../../http/caller"
import { pathId } from "../../http/query"
import { manager, One, writes } from "../../openapi/description"

const INVITE_TIMEOUT_MS = 3_000 // identity asks commissions, and asks again

/** Invites the person behind a partner to an account (contract 2). */
export const partnerInvitations = new Elysia().post(
  "/:id/partners/:partnerId/invite",
  async ({ request, params, set }) => {
    const body = await readBody(request)
    const { program, found } = await authorizeInside(
      request,
      "program:update",
      params.id,
      program_id => call(showPartner, { program_id, partner_id: pathId(params.partnerId) }),
    )
    fieldsIfAny(body)
    const named = { program_id: program.id, partner_id: found.partner_id }
    const data = await call(invitePartner, named, INVITE_TIMEOUT_MS)
    set.status = 201
    return { data }
  },
  writes({
    id: "invitePartner",
    summary: "Invite the person behind a partner to an account; the token is told here alone",
    by: manager("program:update"),
    answers: { 201: One(invitePartner.reply), 409: "The partner is removed, or has an account." },
  }),
)
