import type postgres from "postgres"
import { matchSales } from "../../../deploy/books"
import { call } from "../../../lib/bus/bus"
import * as commissions from "../../../services/commissions/contract"
import * as tracking from "../../../services/tracking/contract"
import { type Asked, askAgain, type Outcome } from "./asking"
import type { History, RefundAsked, SaleAsked } from "./scenario"

const BUG = "Something went wrong on our side."

/** The promises that a history broke, in words, once the world is calm and swept. */
export async function violationsOf(history: History, superuser: postgres.Sql): Promise<string[]> {
  const pending = await superuser`
    select id from tracking.affiliate_sale_events where state = 'pending'
  `
  const asked = [...history.sales, ...history.refunds]
  return [
    ...pending.map(({ id }) => `Sale ${id} is still pending.`),
    ...asked.flatMap(({ request, outcome }) =>
      isBug(outcome) ? [`A bug met ${request.request_id}.`] : [],
    ),
    ...(await violationsOfSales(history.sales)),
    ...(await violationsOfRefunds(history.refunds, superuser)),
    ...(await audit()),
  ]
}

/** The books as an operator's audit reads them. */
async function audit(): Promise<string[]> {
  const audits = [
    ...(await call(tracking.reconcile, {})),
    ...(await call(commissions.reconcile, {})),
    await matchSales(),
  ]
  return audits.flatMap(({ broken }) => broken)
}

/** Of the requests for one transaction, one was told of success, and is told so for ever. */
async function violationsOfSales(sales: SaleAsked[]): Promise<string[]> {
  const found: string[] = []
  const transactions = Map.groupBy(sales, ({ request }) => request.sale.transaction_id)
  for (const [transaction_id, asked] of transactions) {
    const told = new Set<string>()
    for (const sale of asked) {
      const { request_id } = sale.request
      const again = await askAgain(sale)
      if (isReply(sale.outcome) || isReply(again)) told.add(request_id)
      if (isReply(sale.outcome) && !same(sale.outcome, again)) found.push(changed(sale, again))
      if (!isReply(again) && again.kind !== "duplicate") {
        found.push(`In the calm, ${request_id} is answered "${again.message}".`)
      }
      if (isFault(sale.outcome, "invalid") || isFault(sale.outcome, "missing")) {
        found.push(`${request_id} was refused: "${sale.outcome.message}".`)
      }
    }
    if (told.size !== 1) found.push(`${transaction_id} succeeded for ${told.size}: ${[...told]}.`)
  }
  return found
}

/** Each refund_id took something back once, and what was answered is what is in the books. */
async function violationsOfRefunds(refunds: RefundAsked[], superuser: postgres.Sql) {
  const found: string[] = []
  const taken = new Map<string, Set<string>>()
  for (const refund of refunds) {
    const { request_id } = refund.request
    const { transaction_id, refund_id = "none" } = refund.request.refund
    const again = await askAgain(refund)
    if (isReply(refund.outcome) && !same(refund.outcome, again)) found.push(changed(refund, again))

    for (const outcome of [refund.outcome, again]) {
      if (!isReply(outcome) || !("deduction_cents" in outcome.reply)) continue
      const key = `${transaction_id}, refund_id ${refund_id}`
      taken.set(key, (taken.get(key) ?? new Set()).add(request_id))
      found.push(...(await mismatch(request_id, outcome.reply, superuser)))
    }
  }
  for (const [key, request_ids] of taken) {
    if (request_ids.size > 1) found.push(`${key} was taken back for ${[...request_ids]}.`)
  }
  return found
}

async function mismatch(
  request_id: string,
  told: { status: string; commission_id: number; deduction_cents: number },
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
  const { status, commission_id, deduction_cents } = told
  const isTrue =
    booked.length === 1 &&
    same(booked[0], { status, commission_id, deduction_cents, now: booked[0]!.now }) &&
    (status === "refunded" || booked[0]!.now === "reversed")
  return isTrue
    ? []
    : [`${request_id} was told ${JSON.stringify(told)}, booked is ${JSON.stringify(booked)}.`]
}

type Any = Outcome<unknown> | undefined
const isReply = <Reply>(outcome: Outcome<Reply> | undefined): outcome is { reply: Reply } =>
  outcome !== undefined && "reply" in outcome
const isFault = (outcome: Any, kind: string): outcome is { kind: string; message: string } =>
  outcome !== undefined && "kind" in outcome && outcome.kind === kind
const isBug = (outcome: Any) => isFault(outcome, "failed") && outcome.message === BUG

/** Why nothing more is taken back may be said in other words later. */
const same = (one: unknown, other: unknown) => text(one) === text(other)
const text = (value: unknown) =>
  JSON.stringify(value, (key, field) => (key === "reason" ? undefined : field))

const changed = ({ request, outcome }: Asked<any>, again: unknown) =>
  `${request.request_id} was answered ${JSON.stringify(outcome)}, and now ${JSON.stringify(again)}.`
