import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { groupsWhere } from "./groups"

export async function showGroup(asked: RequestOf<typeof contract.showGroup>) {
  const [group] = await groupsWhere({ ...asked, limit: 1, offset: 0 })
  if (!group) throw new Fault("missing", "The program has no such group.")
  return group
}
