import type { Discrepancies } from "./discrepancies"
import type { Fault } from "./fault"
import type { Attempt, Journal } from "./journal"

const REPLY_MS_MAX = 5_000
const GROWTH_MIB_MAX = 64
const NAMED_MAX = 5

export type Outcome = ReturnType<typeof outcomeOf>

type Observed = {
  attempts: Attempt[]
  requests: Journal["requests"]
  injectedAt: number
  endedAt: number // of the fault itself
  liftedAt: number // the system can recover from then on
  hasRecovered: boolean
  pending: number
  discrepancies: Discrepancies
  audit: { code: number; output: string }
  growthMib: number
}

/** Summarizes what a fault did to the system, and every requirement that was not met. */
export function outcomeOf(fault: Fault, observed: Observed) {
  const { attempts, injectedAt, endedAt, liftedAt, discrepancies, audit, growthMib } = observed
  const requests = [...new Set(attempts.map(({ request }) => request))]
  const states = requests.map(request => observed.requests.get(request))
  const failed = attempts.filter(isFailed)

  const recoveredAt = Math.max(...failed.map(({ sent_at }) => sent_at), liftedAt)
  const meanwhile = attempts.filter(
    ({ sent_at, took_ms }) =>
      sent_at + took_ms >= injectedAt && sent_at <= Math.max(endedAt, recoveredAt),
  )
  const outcome = {
    fault: fault.name,
    sent: requests.length,
    acknowledged: states.filter(state => state === "acknowledged").length,
    refused: states.filter(state => state === "refused").length,
    in_doubt: new Set(failed.map(({ request }) => request)).size,
    lost: discrepancies.lost.length,
    duplicated: discrepancies.duplicated.length,
    error_share: share(meanwhile.filter(isFailed).length, meanwhile.length),
    p99_ms: percentile(meanwhile, 0.99),
    slowest_ms: percentile(attempts, 1),
    recovery_s: Math.round((recoveredAt - liftedAt) / 10) / 100,
    memory_growth_mib: growthMib,
  }
  return {
    ...outcome,
    is_audited: audit.code === 0,
    shortfalls: shortfalls(fault, observed, outcome.refused),
    delays: [
      ...aboveLimit("s to recover", outcome.recovery_s, fault.recoveryMaxSeconds),
      ...aboveLimit("ms for the slowest reply", outcome.slowest_ms, REPLY_MS_MAX),
    ],
  }
}

function shortfalls(fault: Fault, observed: Observed, refused: number): string[] {
  const { attempts, hasRecovered, pending, discrepancies, audit, growthMib } = observed
  const { unaffected, breaksConnections } = fault
  const failed = attempts.filter(isFailed)
  const affected = failed.filter(({ request }) => unaffected.includes(request.kind))
  const hasty = failed.filter(({ status, retry_after }) => status === 503 && !retry_after)
  const silent = breaksConnections ? [] : failed.filter(({ status }) => status === null)
  const unexpected = failed.filter(isUnexpected)

  return [
    ...discrepancies.lost.slice(0, NAMED_MAX).map(key => `lost: ${key}`),
    ...discrepancies.duplicated.slice(0, NAMED_MAX).map(key => `duplicated: ${key}`),
    ...(audit.code === 0 ? [] : [`npm run audit: ${violationsIn(audit.output)}`]),
    ...(hasRecovered ? [] : ["the system did not recover within a minute"]),
    ...(pending === 0 ? [] : [`${pending} requests never succeeded`]),
    ...(refused === 0 ? [] : [`${refused} refused: ${shown(attempts.filter(isRefused))}`]),
    ...named("should not have failed", affected),
    ...(hasty.length === 0 ? [] : [`${hasty.length} replies of 503 without Retry-After`]),
    ...named("got no reply", silent),
    ...named("failed with an unexpected status", unexpected),
    ...aboveLimit("MiB of memory growth", growthMib, GROWTH_MIB_MAX),
  ]
}

/** Leaves out the invariants that hold. */
const violationsIn = (output: string): string =>
  output
    .trim()
    .split("\n")
    .filter(line => !line.endsWith(" holds"))
    .join("\n")

const named = (failure: string, attempts: Attempt[]) =>
  attempts.length === 0 ? [] : [`${attempts.length} ${failure}: ${shown(attempts)}`]

const aboveLimit = (unit: string, value: number, max: number | null) =>
  max === null || value <= max ? [] : [`${value} ${unit}, more than ${max}`]

export const isFailed = ({ status }: Attempt) => status === null || status >= 500

/** Failures should be 503, except for a sale whose commission is missing (behaviour 4.3.6). */
const isUnexpected = ({ status, body }: Attempt) =>
  status !== null && status !== 503 && !`${body?.error}`.startsWith("Commission creation failed")
const isRefused = ({ status }: Attempt) => status !== null && status >= 400 && status < 500

function shown(attempts: Attempt[]): string {
  return attempts
    .slice(0, NAMED_MAX)
    .map(
      ({ request, status, body }) =>
        `${request.kind} ${status ?? "no reply"} ${JSON.stringify(body)}`,
    )
    .join("; ")
}

const share = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000

function percentile(attempts: Attempt[], rank: number): number {
  const sorted = attempts.map(({ took_ms }) => took_ms).sort((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * rank) - 1)] ?? 0)
}
