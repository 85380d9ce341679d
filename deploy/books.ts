import type { Static } from "@sinclair/typebox"
import { call } from "../lib/bus/bus"
import type { FeedTotal, Reconciliation } from "../lib/reconcile"
import * as commissions from "../services/commissions/contract"
import * as reporting from "../services/reporting/contract"
import * as tracking from "../services/tracking/contract"

const TIMEOUT_MS = 15 * 60_000 // whole tables are read
const ROWS_PER_MESSAGE = 2_000
const PROGRAMS_PER_MESSAGE = 500
const READ_TRIES = 20
const TRY_AGAIN_AFTER_MS = 500

export type ReconciliationResult = Static<typeof Reconciliation>

/** Reconciles the books of each service, and compares the services with each other. */
export async function reconcileAll(): Promise<ReconciliationResult> {
  return [
    ...(await call(tracking.reconcile, {}, TIMEOUT_MS)),
    ...(await call(commissions.reconcile, {}, TIMEOUT_MS)),
    await matchSales(),
    ...(await call(reporting.reconcile, {}, TIMEOUT_MS)),
    await matchFeeds(),
  ]
}

/**
 * Compares the sales of tracking with the commissions of their sales. The two are read one after
 * the other, so a request in progress can look like a violation.
 */
export async function matchSales() {
  const violations: string[] = []
  let rows = 0
  for (let after_id = 0; after_id < Number.MAX_SAFE_INTEGER; ) {
    const page = { after_id, limit: ROWS_PER_MESSAGE }
    const sales = await call(tracking.listBookedSales, page, TIMEOUT_MS)
    const through_id = sales.length < page.limit ? Number.MAX_SAFE_INTEGER : sales.at(-1)!.sale_id

    const range = { after_sale_id: after_id, through_sale_id: through_id, limit: 2 * page.limit }
    const booked = await call(commissions.listBookedCommissions, range, TIMEOUT_MS)
    violations.push(...mismatches(sales, booked))
    rows += sales.length
    after_id = through_id
  }
  return { invariant: "Each sale and its commission name each other", rows, violations }
}

function mismatches(sales: tracking.BookedSale[], booked: commissions.BookedCommission[]) {
  const violations: string[] = []
  const saleOf = new Map(sales.map(sale => [sale.sale_id, sale]))
  const commissionOf = new Map(booked.map(commission => [commission.sale_id, commission]))

  for (const { sale_id, is_complete, commission_id } of sales) {
    if (!is_complete || commission_id === null || commissionOf.has(sale_id)) continue
    violations.push(`Sale ${sale_id} names commission ${commission_id}, which does not exist.`)
  }
  for (const { sale_id, commission_id, ...commission } of booked) {
    const sale = saleOf.get(sale_id)
    if (!sale) {
      violations.push(`Commission ${commission_id} names sale ${sale_id}, which does not exist.`)
    } else if (commissionOf.get(sale_id)!.commission_id !== commission_id) {
      violations.push(`Commission ${commission_id} is a second commission of sale ${sale_id}.`)
    } else if (sale.is_complete && sale.commission_id !== commission_id) {
      const named = sale.commission_id === null ? "none" : `commission ${sale.commission_id}`
      violations.push(`Commission ${commission_id} names sale ${sale_id}, which names ${named}.`)
    } else {
      const different = COMMON.filter(name => sale[name] !== commission[name])
      if (different.length === 0) continue
      const fields = different.join(", ")
      violations.push(`Commission ${commission_id} and its sale ${sale_id} differ in ${fields}.`)
    }
  }
  return violations
}

const COMMON = ["program_id", "partner_id", "transaction_id"] as const

/** Compares the totals of reporting with those of the feeds it read, up to what it has read. */
async function matchFeeds() {
  const violations: string[] = []
  let rows = 0
  for (let after_id = 0; after_id < Number.MAX_SAFE_INTEGER; ) {
    const { totals, read } = await readTotals(after_id)
    if (!read) {
      violations.push("Reporting is behind with its feeds and does not catch up. See its log.")
      break
    }
    const program_ids = new Set(totals.map(({ program_id }) => program_id))
    const isLast = program_ids.size < PROGRAMS_PER_MESSAGE
    const through_id = isLast ? Number.MAX_SAFE_INTEGER : Math.max(...program_ids)

    const request = { programs: { after_id, through_id }, read }
    const owned = [
      ...(await call(tracking.totalFeeds, request, TIMEOUT_MS)),
      ...(await call(commissions.totalFeeds, request, TIMEOUT_MS)),
    ]
    violations.push(...differences(owned, totals))
    rows += totals.reduce((sum, total) => sum + total.rows, 0)
    after_id = through_id
  }
  return { invariant: "Reporting matches the feeds that it reads", rows, violations }
}

/** Waits for a moment when no feed is half read. `read` null: there was none. */
async function readTotals(after_id: number) {
  for (let tries = 1; tries <= READ_TRIES; tries++) {
    const page = { after_id, limit: PROGRAMS_PER_MESSAGE }
    const { totals, cursors } = await call(reporting.totalFeeds, page, TIMEOUT_MS)
    const read = cursors.flatMap(({ feed, done }) => (done === null ? [] : [{ feed, done }]))
    if (read.length === cursors.length) return { totals, read }
    await Bun.sleep(TRY_AGAIN_AFTER_MS)
  }
  return { totals: [], read: null }
}

function differences(owned: FeedTotal[], totals: FeedTotal[]): string[] {
  const keyOf = ({ feed, program_id }: FeedTotal) => `${feed} of program ${program_id}`
  const owner = new Map(owned.map(total => [keyOf(total), describeTotal(total)]))
  const reader = new Map(totals.map(total => [keyOf(total), describeTotal(total)]))
  const keys = [...new Set([...owner.keys(), ...reader.keys()])]
  return keys
    .filter(key => owner.get(key) !== reader.get(key))
    .map(key => {
      const [copied, original] = [reader.get(key) ?? NONE, owner.get(key) ?? NONE]
      return `The ${key} differ: reporting has ${copied}, their owner ${original}.`
    })
}

const NONE = "none"
const describeTotal = ({ rows, ids, amount_cents }: FeedTotal) =>
  `${rows} (sum of ids ${ids}, of amounts ${amount_cents})`
