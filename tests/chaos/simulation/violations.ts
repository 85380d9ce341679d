import type postgres from "postgres"
import { compareSales } from "../../../deploy/books/reconcile-all"
import { call } from "../../../lib/bus/bus"
import * as commissions from "../../../services/commissions/contract"
import * as tracking from "../../../services/tracking/contract"
import { type Outcome, repeatRequest, type SimulatedRequest } from "./requests"
import type { History, RefundRequest, SaleRequest } from "./scenario"
import { violationsOfTerms } from "./terms"

const BUG_MESSAGE = "Something went wrong on our side."
const WITHOUT_PARTNER = "The customer's partner is no longer in this program."

/** Lists in words which invariants a history has violated. Call it after the last sweep. */
export async function violationsOf(history: History, superuser: postgres.Sql): Promise<string[]> {
  const pending = await superuser`
    select id from tracking.affiliate_sale_events where state = 'pending'
  `
  const requests = [...history.sales, ...history.refunds]
  return [
    ...pending.map(({ id }) => `Sale ${id} is still pending.`),
    ...requests.flatMap(({ request, outcome }) =>
      isBug(outcome) ? [`${request.request_id} failed with a bug.`] : [],
    ),
    ...(await violationsOfSales(history.sales)),
    ...(await violationsOfRefunds(history.refunds, superuser)),
    ...(await violationsOfTerms(superuser)),
    ...(await reconcile()),
  ]
}

/** Reconciles the books, as `npm run audit` does. */
async function reconcile(): Promise<string[]> {
  const results = [
    ...(await call(tracking.reconcile, {})),
    ...(await call(commissions.reconcile, {})),
    ...(await compareSales()),
  ]
  return results.flatMap(({ violations }) =>
    violations.map(({ row, problem }) => `${row} ${problem}`),
  )
}

/** Exactly one of the requests for a transaction succeeds, and it succeeds again when repeated. */
async function violationsOfSales(sales: SaleRequest[]): Promise<string[]> {
  const found: string[] = []
  const transactions = Map.groupBy(sales, ({ request }) => request.sale.transaction_id)
  for (const [transaction_id, requests] of transactions) {
    const succeeded = new Set<string>()
    for (const sale of requests) {
      const { request_id } = sale.request
      const again = await repeatRequest(sale)
      if (isReply(sale.outcome) || isReply(again)) succeeded.add(request_id)
      if (isReply(sale.outcome) && !same(sale.outcome, again)) found.push(changed(sale, again))
      if (!isReply(again) && again.kind !== "duplicate") {
        found.push(`Without faults, ${request_id} still fails: "${again.message}".`)
      }
      if (isRefused(sale.outcome)) {
        found.push(`${request_id} was refused: "${sale.outcome.message}".`)
      }
    }
    if (succeeded.size === 1) continue
    const request_ids = [...succeeded].join(", ") || "none"
    found.push(`${transaction_id} succeeded for ${succeeded.size} requests: ${request_ids}.`)
  }
  return found
}

/** Each refund_id is deducted once, and its replies agree with the books. */
async function violationsOfRefunds(refunds: RefundRequest[], superuser: postgres.Sql) {
  const found: string[] = []
  const deducted = new Map<string, Set<string>>()
  for (const refund of refunds) {
    const { request_id } = refund.request
    const { transaction_id, refund_id = "none" } = refund.request.refund
    const again = await repeatRequest(refund)
    if (isReply(refund.outcome) && !same(refund.outcome, again)) found.push(changed(refund, again))

    for (const outcome of [refund.outcome, again]) {
      if (!isReply(outcome) || !("deduction_cents" in outcome.reply)) continue
      const key = `${transaction_id}, refund_id ${refund_id}`
      deducted.set(key, (deducted.get(key) ?? new Set()).add(request_id))
      found.push(...(await mismatch(request_id, outcome.reply, superuser)))
    }
  }
  for (const [key, request_ids] of deducted) {
    if (request_ids.size > 1)
      found.push(`${key} was deducted for several requests: ${[...request_ids].join(", ")}.`)
  }
  return found
}

/** Compares the reply to a refund with the stored refund and its ledger entry. */
async function mismatch(
  request_id: string,
  reply: { status: string; commission_id: number; deduction_cents: number },
  superuser: postgres.Sql,
): Promise<string[]> {
  const booked = await superuser`
    select refund.status, refund.commission_id::int, -ledger.amount_cents::int as deduction_cents,
      commission.status as now
    from commissions.refunds as refund
    join commissions.commissions as commission on commission.id = refund.commission_id
    left join commissions.ledger on ledger.refund_id = refund.id and kind = 'deduction'
    where request_id = ${request_id}
  `
  const { status, commission_id, deduction_cents } = reply
  const isMatch =
    booked.length === 1 &&
    same(booked[0], { status, commission_id, deduction_cents, now: booked[0]!.now }) &&
    (status === "refunded" || booked[0]!.now === "reversed")
  return isMatch
    ? []
    : [`${request_id} got ${JSON.stringify(reply)}, but booked is ${JSON.stringify(booked)}.`]
}

type AnyOutcome = Outcome<unknown> | undefined
const isReply = <Reply>(outcome: Outcome<Reply> | undefined): outcome is { reply: Reply } =>
  outcome !== undefined && "reply" in outcome
const isFault = (outcome: AnyOutcome, kind: string): outcome is { kind: string; message: string } =>
  outcome !== undefined && "kind" in outcome && outcome.kind === kind
/** A sale may be refused only while its partner is removed. */
const isRefused = (outcome: AnyOutcome): outcome is { kind: string; message: string } =>
  isFault(outcome, "missing") ||
  (isFault(outcome, "invalid") && outcome.message !== WITHOUT_PARTNER)
const isBug = (outcome: AnyOutcome) => isFault(outcome, "failed") && outcome.message === BUG_MESSAGE

/** Compares all but `reason`: a skipped refund may later be skipped for another reason. */
const same = (one: unknown, other: unknown) => text(one) === text(other)
const text = (value: unknown) =>
  JSON.stringify(value, (key, field) => (key === "reason" ? undefined : field))

const changed = ({ request, outcome }: SimulatedRequest<any>, again: unknown) =>
  `${request.request_id} got ${JSON.stringify(outcome)} first, then ${JSON.stringify(again)}.`
