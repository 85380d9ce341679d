import { call } from "../../lib/bus/bus"
import type { RequestOf } from "../../lib/bus/operation"
import { asFault } from "../../lib/fault"
import { log } from "../../lib/log"
import { newContext, withContext } from "../../lib/request-context"
import { hashOf } from "../../lib/token"
import { findTrackingProgram } from "../../services/identity/contract"
import { recordCalls } from "../../services/tracking/contract"

type Call = RequestOf<typeof recordCalls>["calls"][number]

/** A call to log. `token`: names its program if nothing else does; null: none was sent. */
export type LoggedCall = Omit<Call, "age_ms"> & { at_ms: number; token: string | null }

const FLUSH_MS = 500
const WAITING_MAX = 2_000
const OF_ONE_PROGRAM_MAX = 200 // no more are kept
const CALLS_PER_MESSAGE = 50

/** What waits to be stored, by what names its program, the newest last. */
const waiting = new Map<string, LoggedCall[]>()
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Logs a call to a tracking endpoint. It is stored half a second later together with others, so
 * that nothing waits for it and a flood of refusals costs few statements.
 */
export function logCall(logged: LoggedCall) {
  const { program_id, code, click_id, token } = logged
  const key = `${program_id ?? token ?? code ?? click_id}`
  const calls = waiting.get(key) ?? []
  if (calls.length >= OF_ONE_PROGRAM_MAX) calls.shift()
  else if (count++ >= WAITING_MAX) return void count--
  calls.push(logged)
  waiting.set(key, calls)
  timer ??= setTimeout(() => withContext(newContext(), flush), FLUSH_MS)
}

/** Stores what waits. */
export async function flushCalls() {
  clearTimeout(timer)
  if (count > 0) await flush()
}

async function flush() {
  const calls = [...waiting.values()].flat().sort((a, b) => a.at_ms - b.at_ms)
  waiting.clear()
  count = 0
  timer = undefined
  try {
    const found = await findPrograms(calls)
    for (let i = 0; i < found.length; i += CALLS_PER_MESSAGE) {
      await call(recordCalls, { calls: found.slice(i, i + CALLS_PER_MESSAGE).map(withAge) })
    }
  } catch (err) {
    log.warn({ err, calls: calls.length }, "Calls to the tracking endpoints were not logged.")
  }
}

/** Finds the programs of tokens. Leaves out calls with an unknown token: they have none. */
async function findPrograms(calls: LoggedCall[]): Promise<LoggedCall[]> {
  const isOpen = ({ program_id, token }: LoggedCall) => program_id === null && token !== null
  const tokens = [...new Set(calls.filter(isOpen).map(({ token }) => token as string))]
  const programs = new Map<string, number>()
  for (const token of tokens) {
    try {
      const { program_id } = await call(findTrackingProgram, { token_hash: hashOf(token) })
      programs.set(token, program_id)
    } catch (error) {
      if (asFault(error).kind !== "unauthorized") throw error
    }
  }
  return calls
    .map(each => (isOpen(each) ? { ...each, program_id: programs.get(each.token!) ?? null } : each))
    .filter(each => !isOpen(each))
}

const withAge = ({ at_ms, token, ...logged }: LoggedCall): Call => ({
  ...logged,
  age_ms: Math.max(0, Date.now() - at_ms),
})
