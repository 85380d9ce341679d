import { expect, test } from "bun:test"
import { chooseDeliveries } from "../../../services/delivery/queue/choose-deliveries"

const due = (count: number, fields: object = {}) =>
  Array.from({ length: count }, () => ({
    workspace_id: 1,
    host: "hooks.example",
    is_proven: true,
    ...fields,
  }))
const running = (attempts: number, fields: object = {}) =>
  due(1, fields).map(at => ({ ...at, attempts }))
const UNPROVEN = { is_proven: false }
const workspaces = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, i) => due(16, { workspace_id: i + 1, ...fields })).flat()

test.each<[string, Parameters<typeof chooseDeliveries>, number]>([
  ["what is wanted", [due(9), [], 3], 3],
  ["16 at a host of a workspace", [due(20), [], 100], 16],
  ["those in progress included", [due(20), running(15), 100], 1],
  ["also when all have been taken", [due(20), running(16), 100], 0],
  ["at each host", [[...due(20), ...due(20, { host: "other.example" })], [], 100], 32],
  ["at a host of each workspace", [workspaces(3), [], 100], 48],
  ["64 at a host", [workspaces(5), [], 100], 64],
  ["those of other workspaces included", [due(9), running(60, { workspace_id: 2 }), 100], 4],
  ["half of it for those that do not answer", [due(20, UNPROVEN), [], 100], 8],
  ["half of 64, too", [workspaces(5, UNPROVEN), [], 100], 32],
  ["the others beside them", [[...due(20, UNPROVEN), ...due(20)], [], 100], 16],
  ["the others when those hang", [due(20), running(8, UNPROVEN), 100], 8],
  ["none that does not answer when others fill the host", [due(9, UNPROVEN), running(16), 9], 0],
])("chooses %s", (_what, [all, inProgress, wanted], count) => {
  expect(chooseDeliveries(all, inProgress, wanted)).toHaveLength(count)
})

test("keeps the order of turns, and passes over full hosts", () => {
  const full = due(3, { host: "full.example" })
  const others = due(3)
  const chosen = chooseDeliveries(
    [full[0]!, others[0]!, full[1]!, others[1]!],
    running(16, { host: "full.example" }),
    9,
  )
  expect(chosen).toEqual([others[0]!, others[1]!])
})
