import { call } from "../../../lib/bus/bus"
import { config } from "../../../lib/config"
import { Fault } from "../../../lib/fault"
import { Page } from "../../../lib/fields"
import {
  createWorkspace,
  inviteMember,
  listInvitations,
  listMembers,
  Member,
  MemberChanges,
  NewInvitation,
  NewWorkspace,
  PendingInvitation,
  permitInvitation,
  permitMember,
  removeMember,
  showSession,
  updateMember,
  updateWorkspace,
  Workspace,
  withdrawInvitation,
} from "../../../services/identity/contract"
import { session, workspaceOfPath } from "../../http/access"
import { limitAddress } from "../../http/limit"
import { Listed, listOf } from "../../http/list"
import { pathId } from "../../http/query"
import { EmptyReply, One, route } from "../../http/route"

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

/** The invitation of the path, if the caller may withdraw it: 403 precedes 404. */
const oneInvitation = {
  ...manager,
  async authorize(request: Request, params: Record<string, string>) {
    const { caller, workspace_id } = await manager.authorize(request, params, null)
    const invitation_id = pathId(params.invitationId)
    const invitation = { workspace_id, invitation_id, user_id: caller.user_id }
    await call(permitInvitation, invitation)
    return { invitation }
  },
}

const OWNERS_ONLY = "Only the owner of a workspace can create another one here."

/** Anyone who is signed in; where sign-up is closed, owners of a workspace only. */
const founder = {
  ...session,
  async authorize(request: Request, params: Record<string, string>) {
    const { caller } = await session.authorize(request, params, null)
    if (config.sign_up === "closed") {
      const { memberships } = await call(showSession, { user_id: caller.user_id })
      const isOwner = memberships.some(
        ({ role, status }) => role === "owner" && status === "active",
      )
      if (!isOwner) throw new Fault("forbidden", OWNERS_ONLY)
    }
    return { caller }
  },
}

/** Workspaces, their members and invitations (behaviour 2.7 to 2.9). Sessions only. */
export const workspaces = [
  route(
    {
      id: "createWorkspace",
      method: "POST",
      path: "/api/workspaces",
      summary: "Create a workspace that you own",
      access: founder,
      limit: request => limitAddress("sign_ups", request),
      body: NewWorkspace,
      answers: { 201: One(Workspace), 403: OWNERS_ONLY },
    },
    async ({ caller: { user_id }, body: workspace }) => ({
      data: await call(createWorkspace, { user_id, workspace }),
    }),
  ),
  route(
    {
      id: "updateWorkspace",
      method: "PUT",
      path: "/api/workspaces/:id",
      summary: "Rename a workspace",
      access: workspaceOfPath("workspace:update"),
      body: NewWorkspace,
      answers: { 200: One(Workspace) },
    },
    async ({ workspace_id, body: changes }) => ({
      data: await call(updateWorkspace, { workspace_id, changes }),
    }),
  ),
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
      id: "listInvitations",
      method: "GET",
      path: "/api/workspaces/:id/invitations",
      summary: "List the pending invitations to a workspace, expired ones too",
      access: workspaceOfPath("member:list"),
      query: [Page],
      answers: { 200: Listed(PendingInvitation) },
    },
    async ({ workspace_id, page }) => {
      const { rows, total } = await call(listInvitations, { workspace_id, page })
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "withdrawInvitation",
      method: "DELETE",
      path: "/api/workspaces/:id/invitations/:invitationId",
      summary: "Withdraw an invitation: its token stops working at once",
      access: oneInvitation,
      answers: { 200: EmptyReply },
    },
    async ({ invitation }) => ({ data: await call(withdrawInvitation, invitation) }),
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
  route(
    {
      id: "removeMember",
      method: "DELETE",
      path: "/api/workspaces/:id/members/:userId",
      summary: "Remove a member, and revoke the keys that they created",
      access: oneMember,
      answers: { 200: EmptyReply, 409: "No active owner would remain." },
    },
    async ({ target }) => ({ data: await call(removeMember, target) }),
  ),
]
