import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Nullable, Page } from "../../../lib/fields"
import { Action, Caller, Role } from "../access/contract"

/**
 * Whether the caller may do this in a workspace: the named one, else a session's oldest active
 * membership, or a key's own. `conceals`: to a suspended member it is missing, not forbidden.
 * Faults: missing (unknown or foreign), forbidden.
 */
export const permitWorkspace = operation("identity.workspace.permit", {
  request: Type.Object({
    caller: Caller,
    action: Action,
    workspace_id: Nullable(Id),
    conceals: Type.Boolean(),
  }),
  reply: Type.Object({ workspace_id: Id }),
})

export const Workspace = Type.Object({ id: Id, name: Type.String() })

/** The body of PUT /api/workspaces/:id/members/:userId. */
export const MemberChanges = Type.Object({
  role: Type.Optional(Role),
  status: Type.Optional(
    Type.Union([Type.Literal("active"), Type.Literal("suspended")], {
      description: "active or suspended",
    }),
  ),
})

export const Member = Type.Object({
  user_id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Role,
  status: Type.Union([Type.Literal("active"), Type.Literal("suspended")]),
})

export type Member = Static<typeof Member>

/** The members of a workspace, suspended ones too, by user_id. Faults: none. */
export const listMembers = operation("identity.member.list", {
  request: Type.Object({ workspace_id: Id, page: Page }),
  reply: ListOf(Member),
})

const NamedMember = {
  user_id: Id, // who is changed
  workspace_id: Id,
  changed_by: Id, // a user as well
}

/** Whether a member may be changed by another. Faults: missing, forbidden (owners by owners). */
export const permitMember = operation("identity.member.permit", {
  request: Type.Object(NamedMember),
  reply: Member,
})

/**
 * Changes a member; the change holds from the reply on. Faults: missing, forbidden (to touch or
 * make an owner), conflict (no active owner would remain).
 */
export const updateMember = operation("identity.member.update", {
  request: Type.Object({ ...NamedMember, changes: MemberChanges }),
  reply: Member,
})
