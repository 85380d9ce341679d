import type { Transaction } from "../../../lib/db/database"
import { recordOutgoingEvent } from "../../../lib/outgoing-events"
import { differences } from "../../../lib/record-change"
import type { Group } from "../contract"
import { groupsWhere } from "./groups"

type GroupKey = { program_id: number; group_id: number }

/** A group that exists, with the latest version of its policy. */
export async function findGroup(sql: Transaction, key: GroupKey): Promise<Group> {
  const [group] = await groupsWhere({ ...key, limit: 1, offset: 0 }, sql)
  return group as Group
}

/** Records the outgoing event of a further version of a group's policy. */
export async function recordPolicyEvent(sql: Transaction, program_id: number, before: Group) {
  const data = await findGroup(sql, { program_id, group_id: before.id })
  const previous = differences(data, before)
  await recordOutgoingEvent(sql, { program_id, type: "policy.updated", data, previous })
}
