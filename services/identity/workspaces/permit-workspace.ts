import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { findAccess, isAllowed } from "../access/workspace-access"
import { findDefaultWorkspace } from "../accounts/users"
import type * as contract from "../contract"
import type { Action, Caller } from "../contract"

type Request = RequestOf<typeof contract.permitWorkspace>

export async function permitWorkspace({
  caller,
  action,
  workspace_id: given,
  hides_existence = true,
}: Request) {
  const workspace_id = given ?? (await defaultOf(caller))
  const access = await findAccess(caller, workspace_id)
  if (!access || (hides_existence && access.status !== "active")) {
    throw new Fault("missing", "Workspace not found.")
  }
  if (isAllowed(access, action) && !wouldWidenKey(caller, action)) return { workspace_id }
  throw new Fault("forbidden", "You may not do this in this workspace.")
}

/** A key limited to some programs would widen its own access by creating another one. */
const wouldWidenKey = (caller: Caller, action: Action) =>
  caller.kind === "key" && caller.program_ids !== null && action === "program:create"

async function defaultOf(caller: Caller): Promise<number> {
  if (caller.kind === "key") return caller.workspace_id

  const workspace = await findDefaultWorkspace(caller.user_id)
  if (workspace) return workspace.id
  throw new Fault("forbidden", "You are not an active member of any workspace.")
}
