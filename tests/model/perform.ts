import type { Reply, Send } from "./client"
import type { Clock } from "./clock"
import { differences } from "./match"
import { setBounds } from "./moment"
import { chooseOperation } from "./operations/choose"
import type { Operation } from "./operations/operation"
import type { Report } from "./report"
import type { Program } from "./state"
import type { World } from "./world"

const REPEAT_PAUSE_MS = 200
const REPEATS_MAX = 600

/** Performs a program's next operation and changes the model. Returns whether the answer is right. */
export async function performNext(
  program: Program,
  world: World,
  { send, clock, report }: { send: Send; clock: Clock; report: Report },
): Promise<boolean> {
  const operation = chooseOperation(program, world)
  const from = clock.read()
  const { reply, wasRepeated } = await sendUntilAnswered(operation, send)
  setBounds(operation.at, from, clock.read())
  const number = report.count(program, operation)

  const found = differencesOf(operation, reply)
  const isDone = wasRepeated && operation.repeated !== undefined && found.length > 0
  const remaining = isDone ? differencesOf({ ...operation, ...operation.repeated }, reply) : found
  if (remaining.length > 0) {
    report.differ(program, operation, number, reply, found)
    return false
  }
  if (wasRepeated && operation.applyRepeated) await operation.applyRepeated(send)
  else operation.apply?.()
  return true
}

function differencesOf({ status, expected }: Operation, reply: Reply): string[] {
  return reply.status === status
    ? differences(expected, reply.body)
    : [`status: expected ${status}, got ${reply.status}`]
}

/** Repeats a request that was lost or refused for now, just as it was. */
async function sendUntilAnswered(operation: Operation, send: Send) {
  for (let repeats = 0; ; repeats++) {
    const reply = await send(operation)
    const isAnswered = reply.status !== null && reply.status < 500
    if (isAnswered || repeats === REPEATS_MAX) return { reply, wasRepeated: repeats > 0 }
    await Bun.sleep(REPEAT_PAUSE_MS)
  }
}
