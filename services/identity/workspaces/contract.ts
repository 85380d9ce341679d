import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Flag, Id, ListOf, Nullable, Page, Title } from "../../../lib/fields"
import { Action, Caller, Role } from "../access/contract"

/**
 * Checks whether the caller may do this in a workspace: the given one, else that of a session's
 * oldest active membership, or a key's own. `hides_existence` (default true): a suspended
 * member gets missing, not forbidden. Faults: missing (unknown, or not the caller's), forbidden.
 */
export const permitWorkspace = operation("identity.workspace.permit", {
  request: Type.Object({
    caller: Caller,
    action: Action,
    workspace_id: Nullable(Id),
    hides_existence: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ workspace_id: Id }),
})

export const Workspace = Type.Object({ id: Id, name: Type.String() })

/** The body of POST /api/workspaces and PUT /api/workspaces/:id. */
export const NewWorkspace = Type.Object({ name: Title })

/** Creates a workspace that the user owns. Faults: none. */
export const createWorkspace = operation("identity.workspace.create", {
  request: Type.Object({ user_id: Id, workspace: NewWorkspace }),
  reply: Workspace,
})

/** Renames a workspace. Faults: none. */
export const updateWorkspace = operation("identity.workspace.update", {
  request: Type.Object({ workspace_id: Id, changes: NewWorkspace }),
  reply: Workspace,
})

/** The body of PUT /api/workspaces/:id/members/:userId. */
export const MemberChanges = Type.Object({
  role: Type.Optional(Role),
  status: Type.Optional(
    Type.Union([Type.Literal("active"), Type.Literal("suspended")], {
      description: "active or suspended",
    }),
  ),
  revoke_keys: Type.Optional(Flag), // of a member who is suspended; absent: true
})

export const Member = Type.Object({
  user_id: Id,
  email: Type.String(),
  name: Type.String(),
  role: Role,
  status: Type.Union([Type.Literal("active"), Type.Literal("suspended")]),
})

export type Member = Static<typeof Member>

/** The members of a workspace by user_id, including suspended ones. Faults: none. */
export const listMembers = operation("identity.member.list", {
  request: Type.Object({ workspace_id: Id, page: Page }),
  reply: ListOf(Member),
})

const MemberChangeKey = {
  user_id: Id, // of the member to change
  workspace_id: Id,
  changed_by: Id, // the user who changes it
}

/**
 * Checks whether one member may change another. Faults: missing, forbidden (also before it is known
 * whether the member exists; only an owner may change an owner).
 */
export const permitMember = operation("identity.member.permit", {
  request: Type.Object(MemberChangeKey),
  reply: Member,
})

/**
 * Changes a member, effective from the reply on. Suspending one revokes the keys that they created,
 * unless `revoke_keys` is false. Faults: missing, forbidden (only an owner may
 * change or appoint an owner), conflict (no active owner would remain).
 */
export const updateMember = operation("identity.member.update", {
  request: Type.Object({ ...MemberChangeKey, changes: MemberChanges }),
  reply: Member,
})

/**
 * Removes a member, effective from the reply on, and revokes the keys that they created.
 * Faults: missing, forbidden (only an owner may remove an owner), conflict (no active owner would
 * remain).
 */
export const removeMember = operation("identity.member.remove", {
  request: Type.Object(MemberChangeKey),
  reply: Type.Object({}),
})
