import type postgres from "postgres"
import { call } from "../../../lib/bus/bus"
import { type Random, seededRandom } from "../../../lib/random"
import { approveDue } from "../../../services/commissions/commissions/approve-due"
import * as commissions from "../../../services/commissions/contract"
import { type Refund, recordSale, refundSale, type Sale } from "../../../services/tracking/contract"
import { sweepSales } from "../../../services/tracking/sales/sweep-sales"
import {
  interruptCommissions,
  managePartners,
  managePolicies,
  moveCustomers,
  stepClocks,
} from "./changes"
import { type SimulatedRequest, sendRequest } from "./requests"
import type { Scene } from "./scene"
import { schedule } from "./schedule"
import { terms } from "./terms"

const TRIES_MAX = 5
const RETRYABLE = ["failed", "unavailable", "missing"] // missing: the sale may be recorded later
const PAUSES_MS = [0, 500, 2_000, 6_000]

export type SaleRequest = SimulatedRequest<typeof recordSale>
export type RefundRequest = SimulatedRequest<typeof refundSale>
export type History = { sales: SaleRequest[]; refunds: RefundRequest[] }

/** Starts advertisers' backends, advertisers, what changes terms, and the sweepers, all at once. */
export function startScenario(seed: string, scene: Scene, superuser: postgres.Sql) {
  const random = seededRandom(`${seed} scenario`)
  const history: History = { sales: [], refunds: [] }
  const actors: Promise<unknown>[] = []
  const act = (name: string, work: (random: Random) => Promise<unknown>) => {
    const own = seededRandom(`${seed} ${name} ${actors.length}`)
    actors.push(schedule.begin(name, () => work(own), false))
  }

  const transactions = 1 + random.below(4)
  for (let transaction = 0; transaction < transactions; transaction++) {
    const sale = newSale(random, scene, `${seed}-${transaction}`)
    const callers = 1 + random.below(3)
    for (let caller = 0; caller < callers; caller++) {
      const mine = random.happens(0.8)
        ? sale
        : { ...sale, customer_key: random.pick(scene.customers) }
      act("seller", random => sendSale(random, scene, history, mine))
    }
    for (const refund of newRefunds(random, sale)) {
      act("refunder", random => sendRefund(random, scene, history, refund))
    }
  }
  for (let i = 0; i < 2; i++) act("advertiser", random => settleCommission(random, scene, history))
  act("manager of partners", random => managePartners(random, scene).catch(() => {}))
  act("manager of policies", random => managePolicies(random, scene).catch(() => {}))
  act("visitor", random => moveCustomers(random, scene, superuser))
  act("outage", interruptCommissions)
  act("time", random => stepClocks(random, superuser))
  for (let i = 0; i < 2; i++) act("clock", random => runSweepers(random, superuser))

  let active = actors.length
  for (const actor of actors) actor.then(() => active--)
  return { history, isOver: () => active === 0 }
}

function newSale(random: Random, scene: Scene, transaction_id: string): Sale {
  const subscription = { is_recurring: true, subscription_id: "subscription" }
  return {
    transaction_id,
    amount_cents: 1 + random.below(9_999),
    customer_key: random.pick(scene.customers),
    currency: random.pick(["USD", "USD", "JPY"]),
    ...(random.happens(0.3) && subscription),
  }
}

/** Draws up to three refunds, whole or partial, some of which are sent by two callers at once. */
function newRefunds(random: Random, { transaction_id, amount_cents }: Sale): Refund[] {
  const refunds = Array.from({ length: random.below(4) }, (_, i) => ({
    transaction_id,
    ...(random.happens(0.7) && { refund_id: `refund ${i}` }),
    ...(random.happens(0.7) && { refund_amount_cents: 1 + random.below(amount_cents) }),
  }))
  return refunds.flatMap(refund => (random.happens(0.4) ? [refund, refund] : [refund]))
}

async function sendSale(random: Random, { program_id }: Scene, history: History, sale: Sale) {
  await Bun.sleep(random.pick([0, ...PAUSES_MS]))
  await sendUntilDone(random, request_id => {
    const simulated: SaleRequest = { op: recordSale, request: { request_id, program_id, sale } }
    history.sales.push(simulated)
    terms.noteSent(sale.transaction_id)
    return simulated
  })
}

async function sendRefund(random: Random, { program_id }: Scene, history: History, refund: Refund) {
  await Bun.sleep(random.pick([0, ...PAUSES_MS]))
  await sendUntilDone(random, request_id => {
    const simulated: RefundRequest = { op: refundSale, request: { request_id, program_id, refund } }
    history.refunds.push(simulated)
    return simulated
  })
}

/** Sends like a good client: again after 500, 503 or a timeout, each time as a new request. */
async function sendUntilDone(
  random: Random,
  next: (request_id: string) => SaleRequest | RefundRequest,
) {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const request_id = `r${random.below(2 ** 32).toString(36)}`
    const outcome = await sendRequest(next(request_id) as SaleRequest)
    const isReceived = outcome && random.happens(0.9)
    if (isReceived && ("reply" in outcome || !RETRYABLE.includes(outcome.kind))) return
    await Bun.sleep(random.pick(PAUSES_MS))
  }
}

/** Approves and pays, or rejects, a random commission that a sale has returned by then. */
async function settleCommission(random: Random, { program_id }: Scene, { sales }: History) {
  let commissionIds: number[] = []
  for (let pauses = 0; pauses < 3 && commissionIds.length === 0; pauses++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    commissionIds = sales.flatMap(({ outcome }) =>
      outcome && "reply" in outcome ? (outcome.reply.commission_id ?? []) : [],
    )
  }
  if (commissionIds.length === 0) return
  const commission = { program_id, commission_id: random.pick(commissionIds) }
  const steps = random.happens(0.4)
    ? [() => call(commissions.rejectCommission, { ...commission, reason: "Not a customer." })]
    : [
        () => call(commissions.approveCommission, commission),
        () => call(commissions.markCommissionPaid, commission),
      ]
  for (const step of steps) await step().catch(() => {})
}

/** Runs the sweepers as their timers would. A sweeper that is killed does not finish. */
async function runSweepers(random: Random, superuser: postgres.Sql) {
  for (let times = 0; times < 3; times++) {
    await Bun.sleep(random.pick(PAUSES_MS))
    schedule.begin("sweeper of sales", () => sweep(superuser).catch(() => {}))
    schedule.begin("sweeper of holds", () => Promise.resolve(approveDue()).catch(() => {}))
  }
}

/** Sweeps pending sales. Ends the sweeper's pauses first, since the database has a real clock. */
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
