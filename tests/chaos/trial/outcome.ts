import type { Fault } from "./fault"
import type { Attempt, Fate, Wish } from "./journal"
import type { Verdict } from "./verdict"

const ANSWER_MS_MAX = 5_000
const GROWTH_MIB_MAX = 64
const NAMED_MAX = 5

export type Outcome = ReturnType<typeof outcomeOf>

type Observed = {
  attempts: Attempt[]
  wishes: Map<Wish, Fate>
  struck_at: number
  ended_at: number // of the fault itself
  lifted_at: number // from when it could be well again
  has_recovered: boolean
  left_open: number
  verdict: Verdict
  audit: { code: number; output: string }
  growth_mib: number
}

/** What a fault did, and in what the system fell short of its promises. */
export function outcomeOf(fault: Fault, observed: Observed) {
  const { attempts, struck_at, ended_at, lifted_at, verdict, audit, growth_mib } = observed
  const wishes = [...new Set(attempts.map(({ wish }) => wish))]
  const fates = wishes.map(wish => observed.wishes.get(wish))
  const failed = attempts.filter(isFailed)

  const unwell_at = Math.max(...failed.map(({ sent_at }) => sent_at), lifted_at)
  const meanwhile = attempts.filter(
    ({ sent_at, took_ms }) =>
      sent_at + took_ms >= struck_at && sent_at <= Math.max(ended_at, unwell_at),
  )
  const outcome = {
    fault: fault.name,
    sent: wishes.length,
    acknowledged: fates.filter(fate => fate === "acknowledged").length,
    refused: fates.filter(fate => fate === "refused").length,
    in_doubt: new Set(failed.map(({ wish }) => wish)).size,
    lost: verdict.lost.length,
    duplicated: verdict.duplicated.length,
    error_share: share(meanwhile.filter(isFailed).length, meanwhile.length),
    p99_ms: percentile(meanwhile, 0.99),
    slowest_ms: percentile(attempts, 1),
    recovery_s: Math.round((unwell_at - lifted_at) / 10) / 100,
    memory_growth_mib: growth_mib,
  }
  return {
    ...outcome,
    is_audited: audit.code === 0,
    shortfalls: shortfalls(fault, observed, outcome.refused),
    delays: [
      ...over("s to recover", outcome.recovery_s, fault.recovery_s_max),
      ...over("ms for the slowest answer", outcome.slowest_ms, ANSWER_MS_MAX),
    ],
  }
}

function shortfalls(fault: Fault, observed: Observed, refused: number): string[] {
  const { attempts, has_recovered, left_open, verdict, audit, growth_mib } = observed
  const { unharmed, breaks_connections } = fault
  const failed = attempts.filter(isFailed)
  const harmed = failed.filter(({ wish }) => unharmed.includes(wish.kind))
  const hasty = failed.filter(({ status, retry_after }) => status === 503 && !retry_after)
  const broken = breaks_connections ? [] : failed.filter(({ status }) => status === null)
  const odd = failed.filter(isOdd)

  return [
    ...verdict.lost.slice(0, NAMED_MAX).map(what => `lost: ${what}`),
    ...verdict.duplicated.slice(0, NAMED_MAX).map(what => `duplicated: ${what}`),
    ...(audit.code === 0 ? [] : [`the audit: ${brokenIn(audit.output)}`]),
    ...(has_recovered ? [] : ["it did not recover within a minute"]),
    ...(left_open === 0 ? [] : [`${left_open} wishes never came to an end`]),
    ...(refused === 0 ? [] : [`${refused} refused: ${told(attempts.filter(isRefused))}`]),
    ...(harmed.length === 0 ? [] : [`${harmed.length} should not have failed: ${told(harmed)}`]),
    ...(hasty.length === 0 ? [] : [`${hasty.length} answers of 503 without Retry-After`]),
    ...(broken.length === 0 ? [] : [`${broken.length} not answered: ${told(broken)}`]),
    ...(odd.length === 0 ? [] : [`${odd.length} in doubt without a 503: ${told(odd)}`]),
    ...over("MiB more memory", growth_mib, GROWTH_MIB_MAX),
  ]
}

/** The promises that do not hold, and the rows that break them. */
const brokenIn = (output: string): string =>
  output
    .trim()
    .split("\n")
    .filter(line => !line.endsWith(" holds"))
    .join("\n")

const over = (what: string, value: number, max: number | null) =>
  max === null || value <= max ? [] : [`${value} ${what}, of ${max}`]

export const isFailed = ({ status }: Attempt) => status === null || status >= 500

/** A sale without its commission is 500 by contract. */
const isOdd = ({ status, body }: Attempt) =>
  status !== null && status !== 503 && !`${body?.error}`.startsWith("Commission creation failed")
const isRefused = ({ status }: Attempt) => status !== null && status >= 400 && status < 500

function told(attempts: Attempt[]): string {
  return attempts
    .slice(0, NAMED_MAX)
    .map(({ wish, status, body }) => `${wish.kind} ${status ?? "broken"} ${JSON.stringify(body)}`)
    .join("; ")
}

const share = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000

function percentile(attempts: Attempt[], rank: number): number {
  const sorted = attempts.map(({ took_ms }) => took_ms).sort((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * rank) - 1)] ?? 0)
}
