import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  inviteMember,
  listMembers,
  Member,
  MemberChanges,
  NewInvitation,
  permitMember,
  updateMember,
} from "../../../services/identity/contract"
import { workspaceOfPath } from "../../http/access"
import { Listed, listOf } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"

const manager = workspaceOfPath("member:manage")

/** The member of the path, if the caller may change it: 403 precedes 404, and both precede 400. */
const oneMember = {
  ...manager,
  async authorize(request: Request, params: Record<string, string>) {
    const { caller, workspace_id } = await manager.authorize(request, params, null)
    const user_id = pathId(params.userId)
    const target = { workspace_id, user_id, changed_by: caller.user_id }
    await call(permitMember, target)
    return { target }
  },
}

/** Members, roles and invitations of a workspace (behaviour 2.7, 2.8). Sessions only. */
export const workspaces = [
  route(
    {
      id: "listMembers",
      method: "GET",
      path: "/api/workspaces/:id/members",
      summary: "List the members of a workspace",
      access: workspaceOfPath("member:list"),
      query: [Page],
      answers: { 200: Listed(Member) },
    },
    async ({ workspace_id, page }) => {
      const { rows, total } = await call(listMembers, { workspace_id, page })
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "inviteMember",
      method: "POST",
      path: "/api/workspaces/:id/invitations",
      summary: "Invite a person to a workspace. The token is shown only once",
      access: workspaceOfPath("member:manage"),
      body: NewInvitation,
      answers: { 201: One(inviteMember.reply), 409: "A member already has this e-mail address." },
    },
    async ({ caller: { user_id }, workspace_id, body: invitation }) => ({
      data: await call(inviteMember, { workspace_id, user_id, invitation }),
    }),
  ),
  route(
    {
      id: "updateMember",
      method: "PUT",
      path: "/api/workspaces/:id/members/:userId",
      summary: "Change the role or the status of a member",
      access: oneMember,
      body: MemberChanges,
      answers: { 200: One(Member), 409: "No active owner would remain." },
    },
    async ({ target, body: changes }) => ({
      data: await call(updateMember, { ...target, changes }),
    }),
  ),
]
