import type postgres from "postgres"
import { call } from "../../../lib/bus/bus"
import { approveDue } from "../../../services/commissions/commissions/approve-due"
import * as commissions from "../../../services/commissions/contract"
import { type Refund, recordSale, refundSale, type Sale } from "../../../services/tracking/contract"
import { sweepSales } from "../../../services/tracking/sales/sweep-sales"
import { type Asked, ask } from "./asking"
import { type Chance, chanceOf } from "./chance"
import type { Scene } from "./scene"
import { schedule } from "./schedule"

const TRIES_MAX = 5
const MAY_CHANGE = ["failed", "unavailable", "missing"] // the last: its sale may yet come
const PAUSES_MS = [0, 500, 2_000, 6_000]

export type SaleAsked = Asked<typeof recordSale>
export type RefundAsked = Asked<typeof refundSale>
export type History = { sales: SaleAsked[]; refunds: RefundAsked[] }

/** Advertisers' backends, an advertiser and the sweepers at work, all at once. */
export function play(seed: string, scene: Scene, superuser: postgres.Sql) {
  const chance = chanceOf(`${seed} scenario`)
  const history: History = { sales: [], refunds: [] }
  const actors: Promise<unknown>[] = []
  const act = (name: string, work: (chance: Chance) => Promise<unknown>) => {
    const own = chanceOf(`${seed} ${name} ${actors.length}`)
    actors.push(schedule.begin(name, () => work(own), false))
  }

  const transactions = 1 + chance.below(4)
  for (let transaction = 0; transaction < transactions; transaction++) {
    const sale = newSale(chance, scene, `${seed}-${transaction}`)
    const callers = 1 + chance.below(3)
    for (let caller = 0; caller < callers; caller++) {
      const mine = chance.happens(0.8)
        ? sale
        : { ...sale, customer_key: chance.pick(scene.customers) }
      act("seller", chance => sell(chance, scene, history, mine))
    }
    for (const refund of newRefunds(chance, sale)) {
      act("refunder", chance => takeBack(chance, scene, history, refund))
    }
  }
  for (let i = 0; i < 2; i++) act("advertiser", chance => settle(chance, scene, history))
  for (let i = 0; i < 2; i++) act("clock", chance => sweepNowAndThen(chance, superuser))

  let going = actors.length
  for (const actor of actors) actor.then(() => going--)
  return { history, isOver: () => going === 0 }
}

function newSale(chance: Chance, scene: Scene, transaction_id: string): Sale {
  const subscription = { is_recurring: true, subscription_id: "subscription" }
  return {
    transaction_id,
    amount_cents: 1 + chance.below(9_999),
    customer_key: chance.pick(scene.customers),
    currency: chance.pick(["USD", "USD", "JPY"]),
    ...(chance.happens(0.3) && subscription),
  }
}

/** None, one of all, or several of parts; each by one or by two at once. */
function newRefunds(chance: Chance, { transaction_id, amount_cents }: Sale): Refund[] {
  const refunds = Array.from({ length: chance.below(4) }, (_, i) => ({
    transaction_id,
    ...(chance.happens(0.7) && { refund_id: `refund ${i}` }),
    ...(chance.happens(0.7) && { refund_amount_cents: 1 + chance.below(amount_cents) }),
  }))
  return refunds.flatMap(refund => (chance.happens(0.4) ? [refund, refund] : [refund]))
}

async function sell(chance: Chance, { program_id }: Scene, history: History, sale: Sale) {
  await insistently(chance, request_id => {
    const asked: SaleAsked = { op: recordSale, request: { request_id, program_id, sale } }
    history.sales.push(asked)
    return asked
  })
}

async function takeBack(chance: Chance, { program_id }: Scene, history: History, refund: Refund) {
  await Bun.sleep(chance.pick([0, ...PAUSES_MS]))
  await insistently(chance, request_id => {
    const asked: RefundAsked = { op: refundSale, request: { request_id, program_id, refund } }
    history.refunds.push(asked)
    return asked
  })
}

/** As a good client does it: after 500, 503 or silence again, each time as a new request. */
async function insistently(chance: Chance, next: (request_id: string) => SaleAsked | RefundAsked) {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const request_id = `r${chance.below(2 ** 32).toString(36)}`
    const outcome = await ask(next(request_id) as SaleAsked)
    const isHeard = outcome && chance.happens(0.9)
    if (isHeard && ("reply" in outcome || !MAY_CHANGE.includes(outcome.kind))) return
    await Bun.sleep(chance.pick(PAUSES_MS))
  }
}

/** Approves, and pays or rejects, some commission or other that was answered. */
async function settle(chance: Chance, { program_id }: Scene, { sales }: History) {
  await Bun.sleep(chance.pick(PAUSES_MS))
  const commission_ids = sales.flatMap(({ outcome }) =>
    outcome && "reply" in outcome ? (outcome.reply.commission_id ?? []) : [],
  )
  if (commission_ids.length === 0) return
  const named = { program_id, commission_id: chance.pick(commission_ids) }
  const steps = chance.happens(0.2)
    ? [commissions.rejectCommission]
    : [commissions.approveCommission, commissions.markCommissionPaid]
  for (const step of steps) await call(step, named).catch(() => {})
}

/** What timers do: a process that dies does not do it to the end. */
async function sweepNowAndThen(chance: Chance, superuser: postgres.Sql) {
  for (let times = 0; times < 3; times++) {
    await Bun.sleep(chance.pick(PAUSES_MS))
    schedule.begin("sweeper of sales", () => sweep(superuser).catch(() => {}))
    schedule.begin("sweeper of holds", () => Promise.resolve(approveDue()).catch(() => {}))
  }
}

/** The database's clock is not ours, so the sweeper's pauses are over when we say so. */
export async function sweep(superuser: postgres.Sql) {
  await schedule.once("time passes", () => endPauses(superuser))
  await sweepSales()
}

const endPauses = (superuser: postgres.Sql) => superuser`
  update tracking.affiliate_sale_events
  set try_after = now()
  where id in (
    select id
    from tracking.affiliate_sale_events
    where state = 'pending'
    for update skip locked
  )
`
