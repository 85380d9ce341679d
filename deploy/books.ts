import type { Static } from "@sinclair/typebox"
import { call } from "../lib/bus/bus"
import type { FeedTotal, Reconciliation } from "../lib/reconcile"
import * as commissions from "../services/commissions/contract"
import * as reporting from "../services/reporting/contract"
import * as tracking from "../services/tracking/contract"

const TIMEOUT_MS = 15 * 60_000 // it reads whole tables
const ROWS_PER_MESSAGE = 2_000
const PROGRAMS_PER_MESSAGE = 500
const READING_TRIES = 20
const TRY_AGAIN_AFTER_MS = 500

export type ReconciliationResult = Static<typeof Reconciliation>

/** Reads the books of each service by itself, and of one against the other. */
export async function reconcileAll(): Promise<ReconciliationResult> {
  return [
    ...(await call(tracking.reconcile, {}, TIMEOUT_MS)),
    ...(await call(commissions.reconcile, {}, TIMEOUT_MS)),
    await matchSales(),
    ...(await call(reporting.reconcile, {}, TIMEOUT_MS)),
    await matchFeeds(),
  ]
}

/** Sale by sale: the one side is read before the other, so what is under way may look broken. */
export async function matchSales() {
  const broken: string[] = []
  let rows = 0
  for (let after_id = 0; after_id < Number.MAX_SAFE_INTEGER; ) {
    const page = { after_id, limit: ROWS_PER_MESSAGE }
    const sales = await call(tracking.listBookedSales, page, TIMEOUT_MS)
    const through_id = sales.length < page.limit ? Number.MAX_SAFE_INTEGER : sales.at(-1)!.sale_id

    const theirs = { after_sale_id: after_id, through_sale_id: through_id, limit: 2 * page.limit }
    const booked = await call(commissions.listBookedCommissions, theirs, TIMEOUT_MS)
    broken.push(...mismatches(sales, booked))
    rows += sales.length
    after_id = through_id
  }
  return { promise: "Each sale and its commission name each other", rows, broken }
}

function mismatches(sales: tracking.BookedSale[], booked: commissions.BookedCommission[]) {
  const broken: string[] = []
  const saleOf = new Map(sales.map(sale => [sale.sale_id, sale]))
  const commissionOf = new Map(booked.map(commission => [commission.sale_id, commission]))

  for (const { sale_id, is_complete, commission_id } of sales) {
    if (!is_complete || commission_id === null || commissionOf.has(sale_id)) continue
    broken.push(`Sale ${sale_id} names commission ${commission_id}, which is not there.`)
  }
  for (const { sale_id, commission_id, ...commission } of booked) {
    const sale = saleOf.get(sale_id)
    if (!sale) {
      broken.push(`Commission ${commission_id} names sale ${sale_id}, which is not there.`)
    } else if (commissionOf.get(sale_id)!.commission_id !== commission_id) {
      broken.push(`Commission ${commission_id} is another one for sale ${sale_id}.`)
    } else if (sale.is_complete && sale.commission_id !== commission_id) {
      const named = sale.commission_id === null ? "none" : `commission ${sale.commission_id}`
      broken.push(`Commission ${commission_id} is of sale ${sale_id}, which names ${named}.`)
    } else if (COMMON.some(name => sale[name] !== commission[name])) {
      broken.push(`Commission ${commission_id} and sale ${sale_id} differ in what is theirs.`)
    }
  }
  return broken
}

const COMMON = ["program_id", "partner_id", "transaction_id"] as const

/** What reporting has read of each program against what its owners had by then. */
async function matchFeeds() {
  const broken: string[] = []
  let rows = 0
  for (let after_id = 0; after_id < Number.MAX_SAFE_INTEGER; ) {
    const { totals, read } = await readTotals(after_id)
    if (!read) {
      broken.push("Reporting is behind with its feeds and does not catch up: see its log.")
      break
    }
    const program_ids = new Set(totals.map(({ program_id }) => program_id))
    const isLast = program_ids.size < PROGRAMS_PER_MESSAGE
    const through_id = isLast ? Number.MAX_SAFE_INTEGER : Math.max(...program_ids)

    const asked = { programs: { after_id, through_id }, read }
    const owned = [
      ...(await call(tracking.totalFeeds, asked, TIMEOUT_MS)),
      ...(await call(commissions.totalFeeds, asked, TIMEOUT_MS)),
    ]
    broken.push(...differences(owned, totals))
    rows += totals.reduce((sum, total) => sum + total.rows, 0)
    after_id = through_id
  }
  return { promise: "Reporting has what the feeds of its owners say", rows, broken }
}

/** Reporting's totals at a moment at which no feed is half read. Nothing if none comes. */
async function readTotals(after_id: number) {
  for (let tries = 1; tries <= READING_TRIES; tries++) {
    const asked = { after_id, limit: PROGRAMS_PER_MESSAGE }
    const { totals, cursors } = await call(reporting.totalFeeds, asked, TIMEOUT_MS)
    const read = cursors.flatMap(({ feed, done }) => (done === null ? [] : [{ feed, done }]))
    if (read.length === cursors.length) return { totals, read }
    await Bun.sleep(TRY_AGAIN_AFTER_MS)
  }
  return { totals: [], read: null }
}

function differences(owned: FeedTotal[], totals: FeedTotal[]): string[] {
  const keyOf = ({ feed, program_id }: FeedTotal) => `the ${feed} of program ${program_id}`
  const owner = new Map(owned.map(total => [keyOf(total), describeTotal(total)]))
  const reader = new Map(totals.map(total => [keyOf(total), describeTotal(total)]))
  const keys = [...new Set([...owner.keys(), ...reader.keys()])]
  return keys
    .filter(key => owner.get(key) !== reader.get(key))
    .map(
      key =>
        `Of ${key}, reporting has ${reader.get(key) ?? NONE} and its owner ${owner.get(key) ?? NONE}.`,
    )
}

const NONE = "none"
const describeTotal = ({ rows, ids, amount_cents }: FeedTotal) =>
  `${rows} (ids add up to ${ids}, amounts to ${amount_cents})`
