import { Type } from "@sinclair/typebox"
import type { RequestOf } from "../../../lib/bus/operation"
import { columnsOf, digest } from "../../../lib/feeds/digest"
import { inSnapshot } from "../../../lib/reconcile"
import type * as contract from "../contract"
import { CommissionRow, PartnerRow } from "../contract"
import { sql } from "../db"

const FEEDS = {
  partners: { table: "partner_programs", row: Type.Omit(PartnerRow, ["partner_id"]) }, // no reader keeps it
  commissions: { table: "commissions", row: CommissionRow },
}

type Request = RequestOf<typeof contract.digestFeed>

/** Digests the rows of a feed that its reader must have. */
export const digestFeed = ({ feed, done, scope }: Request) =>
  inSnapshot(sql, sql => {
    const { table, row } = FEEDS[feed as keyof typeof FEEDS]
    const from = sql`
      ${sql(table)} where pg_visible_in_snapshot(final_xact, ${done}::pg_snapshot)
    `
    return digest(sql, { from, id: sql`id`, columns: columnsOf(row) }, scope)
  })
