import fc from "fast-check"
import { type Document, type FuzzRequest, type Operation, requestsTo } from "./requests"
import { newScene } from "./scene"
import type { Reply } from "./send-raw"

const RUNS = 12 // of each operation per round
const SHRINK_MS = 20_000

/** These operations come last in a round, because they disable what others need. */
const DESTRUCTIVE =
  /^(updateProgram|regenerateToken|updatePartner|updateLink|updateMember|updateKey|revokeKey|deleteWebhookEndpoint|delete\w*Postback|eraseCustomer|archiveProgram|signOut)/

export type RouteStats = { inputs: number; statuses: Record<number, number> }
export type Finding = { route: string; reason: string; request: FuzzRequest; seed: number }
type Check = (request: FuzzRequest) => Promise<Reply>

/** Sends requests to every operation in turn until the time is up. Each round has new tenants. */
export async function fuzz(
  url: string,
  document: Document,
  check: Check,
  options: {
    seed: number
    until: number
    report: (tried: Map<string, RouteStats>, findings: Finding[]) => void
  },
) {
  const tried = new Map<string, RouteStats>()
  const findings: Finding[] = []
  const operations = operationsOf(document)

  for (let round = 0; Date.now() < options.until; round++) {
    const scene = await newScene(url)
    for (const operation of operations) {
      if (Date.now() >= options.until) break
      const route = `${operation.method.toUpperCase()} ${operation.path}`
      const stats = tried.get(route) ?? { inputs: 0, statuses: {} }
      tried.set(route, stats)
      const seed = options.seed + round
      const property = fc.asyncProperty(requestsTo(operation, document, scene), async request => {
        stats.inputs++
        const { status } = await check(request)
        stats.statuses[status] = (stats.statuses[status] ?? 0) + 1
      })
      const outcome = await fc.check(property, {
        seed,
        numRuns: RUNS,
        interruptAfterTimeLimit: SHRINK_MS,
      })
      if (outcome.counterexample) {
        const reason = String(Object(outcome.errorInstance).message ?? outcome.errorInstance)
        findings.push({ route, reason, request: outcome.counterexample[0], seed })
      }
      options.report(tried, findings)
    }
  }
  return { tried, findings }
}

function operationsOf({ paths }: Document): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const rank = ({ operationId }: Operation) => Number(DESTRUCTIVE.test(operationId))
  return all.sort((one, other) => rank(one) - rank(other))
}
