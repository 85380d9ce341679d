import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { may, standingOf } from "../access/standing"
import { findDefaultWorkspace } from "../accounts/users"
import type * as contract from "../contract"
import type { Action, Caller } from "../contract"

type Asked = RequestOf<typeof contract.permitWorkspace>

export async function permitWorkspace({ caller, action, workspace_id: named, conceals }: Asked) {
  const workspace_id = named ?? (await defaultOf(caller))
  const standing = await standingOf(caller, workspace_id)
  if (!standing || (conceals && standing.status !== "active")) {
    throw new Fault("missing", "There is no such workspace.")
  }
  if (may(standing, action) && !isBeyond(caller, action)) return { workspace_id }
  throw new Fault("forbidden", "You may not do this in this workspace.")
}

/** A key of some programs would widen itself by making another. */
const isBeyond = (caller: Caller, action: Action) =>
  caller.kind === "key" && caller.program_ids !== null && action === "program:create"

async function defaultOf(caller: Caller): Promise<number> {
  if (caller.kind === "key") return caller.workspace_id

  const workspace = await findDefaultWorkspace(caller.user_id)
  if (workspace) return workspace.id
  throw new Fault("forbidden", "You are no active member of a workspace.")
}
