import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import {
  type Action,
  inviteMember,
  listMembers,
  Member,
  MemberChanges,
  NewInvitation,
  permitMember,
  permitWorkspace,
  updateMember,
} from "../../../services/identity/contract"
import { fieldsOf, readBody } from "../../http/body"
import { sessionOf } from "../../http/caller"
import { Listed, listOf } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { One, PERMITTED, reads, writes } from "../../openapi/description"

/** Who belongs to a workspace, and as what (contract 2). Sessions only. */
export const workspaces = new Elysia({ prefix: "/api/workspaces" })
  .get(
    "/:id/members",
    async ({ request, params }) => {
      const { workspace_id } = await permit(request, "member:list", params.id)
      const page = pageOf(request)
      const { rows, total } = await call(listMembers, { workspace_id, page })
      return listOf(rows, total, page)
    },
    reads({
      id: "listMembers",
      summary: "List the members of a workspace",
      by: PERMITTED,
      query: [Page],
      answers: { 200: Listed(Member) },
    }),
  )
  .post(
    "/:id/invitations",
    async ({ request, params, set }) => {
      const body = await readBody(request)
      const named = await permit(request, "member:manage", params.id)
      const invitation = parse(NewInvitation, fieldsOf(body))
      const data = await call(inviteMember, { ...named, invitation })
      set.status = 201
      return { data }
    },
    writes({
      id: "inviteMember",
      summary: "Invite somebody to a workspace; the token is told here alone",
      by: PERMITTED,
      body: NewInvitation,
      answers: { 201: One(inviteMember.reply), 409: "The address is a member's already." },
    }),
  )
  .put(
    "/:id/members/:userId",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { user_id: changed_by } = await sessionOf(request)
      const named = { workspace_id: pathId(params.id), user_id: pathId(params.userId), changed_by }
      await call(permitMember, named)
      const changes = parse(MemberChanges, fieldsOf(body))
      return { data: await call(updateMember, { ...named, changes }) }
    },
    writes({
      id: "updateMember",
      summary: "Change the role or the status of a member",
      by: PERMITTED,
      body: MemberChanges,
      answers: { 200: One(Member), 409: "No active owner would remain." },
    }),
  )

/** The workspace of the path and who asks, who may do this there; to others it is missing. */
async function permit(request: Request, action: Action, id: string) {
  const caller = await sessionOf(request)
  const asked = { caller, action, workspace_id: pathId(id), conceals: true }
  const { workspace_id } = await call(permitWorkspace, asked)
  return { workspace_id, user_id: caller.user_id }
}
