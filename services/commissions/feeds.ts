import type { ReplyOf, RequestOf } from "../../lib/bus/contract"
import { tellFeeds } from "../../lib/feeds/tell-feeds"
import { tellEntries } from "../../lib/record-change"
import type * as contract from "./contract"
import { feeds_sql as sql } from "./db"

const FEEDS = {
  partners: {
    table: "partner_programs",
    columns: sql`id, program_id, partner_id, created_at`,
  },
  commissions: {
    table: "commissions",
    columns: sql`id, program_id, partner_id, sale_id, amount_cents, currency, created_at`,
  },
}

export const readFeeds = (asked: RequestOf<typeof contract.readFeeds>) =>
  tellFeeds<ReplyOf<typeof contract.readFeeds>>(sql, FEEDS, asked)

export const feedAuditEntries = (asked: RequestOf<typeof contract.feedAuditEntries>) =>
  tellEntries(sql, asked)
