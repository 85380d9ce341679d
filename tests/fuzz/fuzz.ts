import fc from "fast-check"
import { type Document, type FuzzRequest, type Operation, requestsTo } from "./requests"
import { newScene } from "./scene"
import type { Answer } from "./send-raw"

const RUNS = 12 // of an operation before the next has its turn
const SHRINK_MS = 20_000

/** What ends something that others need comes last in a round. */
const ENDS =
  /^(updateProgram|regenerateToken|updatePartner|updateLink|updateMember|updateKey|revokeKey|eraseCustomer|archiveProgram|signOut)/

export type RouteStats = { inputs: number; statuses: Record<number, number> }
export type Finding = { route: string; why: string; asked: FuzzRequest; seed: number }
type Check = (asked: FuzzRequest) => Promise<Answer>

/** Drives every operation in turn until time is over, with new tenants in each round. */
export async function fuzz(
  url: string,
  document: Document,
  judge: Check,
  options: {
    seed: number
    until: number
    tell: (tried: Map<string, RouteStats>, finds: Finding[]) => void
  },
) {
  const tried = new Map<string, RouteStats>()
  const finds: Finding[] = []
  const operations = operationsOf(document)

  for (let round = 0; Date.now() < options.until; round++) {
    const scene = await newScene(url)
    for (const operation of operations) {
      if (Date.now() >= options.until) break
      const route = `${operation.method.toUpperCase()} ${operation.path}`
      const mine = tried.get(route) ?? { inputs: 0, statuses: {} }
      tried.set(route, mine)
      const seed = options.seed + round
      const property = fc.asyncProperty(requestsTo(operation, document, scene), async asked => {
        mine.inputs++
        const { status } = await judge(asked)
        mine.statuses[status] = (mine.statuses[status] ?? 0) + 1
      })
      const outcome = await fc.check(property, {
        seed,
        numRuns: RUNS,
        interruptAfterTimeLimit: SHRINK_MS,
      })
      if (outcome.counterexample) {
        const why = String(Object(outcome.errorInstance).message ?? outcome.errorInstance)
        finds.push({ route, why, asked: outcome.counterexample[0], seed })
      }
      options.tell(tried, finds)
    }
  }
  return { tried, finds }
}

function operationsOf({ paths }: Document): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const isEnd = ({ operationId }: Operation) => Number(ENDS.test(operationId))
  return all.sort((one, other) => isEnd(one) - isEnd(other))
}
