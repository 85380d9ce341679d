import type { RequestOf } from "../../lib/contract"
import { readFeed } from "../../lib/feed"
import type * as contract from "./contract"
import type { CommissionRow, PartnerRow } from "./contract"
import { sql } from "./db"

export async function feedPartners(asked: RequestOf<typeof contract.feedPartners>) {
  const columns = sql`id, program_id, partner_id, created_at`
  const { rows, ...read } = await readFeed(sql, { columns, table: "partner_programs" }, asked)
  return { rows: rows as unknown as PartnerRow[], ...read }
}

export async function feedCommissions(asked: RequestOf<typeof contract.feedCommissions>) {
  const columns = sql`id, program_id, partner_id, sale_id, amount_cents, currency, created_at`
  const { rows, ...read } = await readFeed(sql, { columns, table: "commissions" }, asked)
  return { rows: rows as unknown as CommissionRow[], ...read }
}
