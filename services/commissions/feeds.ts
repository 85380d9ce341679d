import type { RequestOf } from "../../lib/contract"
import { readFeed } from "../../lib/feed"
import { readEntries } from "../../lib/record-change"
import type * as contract from "./contract"
import type { CommissionRow, PartnerRow } from "./contract"
import { feeds_sql as sql } from "./db"

type Asked = RequestOf<typeof contract.feedPartners>

export function feedPartners(asked: Asked) {
  const columns = sql`id, program_id, partner_id, created_at`
  return readFeed<PartnerRow>(sql, { columns, table: "partner_programs" }, asked)
}

export function feedCommissions(asked: Asked) {
  const columns = sql`id, program_id, partner_id, sale_id, amount_cents, currency, created_at`
  return readFeed<CommissionRow>(sql, { columns, table: "commissions" }, asked)
}

export const feedAuditEntries = (asked: Asked) => readEntries(sql, asked)
