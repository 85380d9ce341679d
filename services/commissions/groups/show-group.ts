import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { groupsWhere } from "./groups"

export async function showGroup(request: RequestOf<typeof contract.showGroup>) {
  const [group] = await groupsWhere({ ...request, limit: 1, offset: 0 })
  if (!group) throw new Fault("missing", "Group not found in this program.")
  return group
}
