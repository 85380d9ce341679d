import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { LedgerEntry } from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.listLedger>
type Row = Omit<LedgerEntry, "legs" | "payout_item_id" | "note"> & { amount_cents: number }

/** Reads rows and total in one snapshot, so that a new entry in between cannot shift the page. */
export const listLedger = (request: Request) =>
  sql.begin("isolation level repeatable read read only", async sql => {
    const { program_id, partner_id, commission_id, currency, slice } = request
    const isListed = sql`
      ledger.program_id = ${program_id}
      and ledger.partner_id = ${partner_id}
      ${commission_id === undefined ? sql`` : sql`and commission_id = ${commission_id}`}
      ${currency === undefined ? sql`` : sql`and ledger.currency = ${currency}`}
    `
    const rows = await sql<Row[]>`
      select
        ledger.id, ledger.created_at as at, kind, ledger.currency, ledger.amount_cents,
        commission_id, sale_id, refund_id
      from ledger
      join commissions on commissions.id = commission_id
      where ${isListed}
      order by ledger.id desc
      limit ${slice.limit}
      offset ${slice.offset}
    `
    const [{ total }] = await sql<[{ total: number }]>`
      select count(*) as total
      from ledger
      where ${isListed}
    `
    return { rows: rowsThatFit(rows.map(toEntry)), total }
  })

/** A payout moves money from `owed` to `paid`; all else moves it between `cost` and `owed`. */
function toEntry({ amount_cents, ...entry }: Row): LedgerEntry {
  const account = entry.kind === "payout" ? ("paid" as const) : ("cost" as const)
  const legs = [
    { account: "owed" as const, amount_cents },
    { account, amount_cents: 0 - amount_cents },
  ]
  return { ...entry, legs, payout_item_id: null, note: null }
}
