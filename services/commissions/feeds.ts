import type { ReplyOf, RequestOf } from "../../lib/bus/operation"
import { readFeedRows } from "../../lib/feeds/read-feed-rows"
import { readOutgoingEvents } from "../../lib/outgoing-events"
import { readEntries } from "../../lib/record-change"
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

export const readFeeds = (request: RequestOf<typeof contract.readFeeds>) =>
  readFeedRows<ReplyOf<typeof contract.readFeeds>>(sql, FEEDS, request)

export const feedAuditEntries = (request: RequestOf<typeof contract.feedAuditEntries>) =>
  readEntries(sql, request)

export const feedOutgoingEvents = (request: RequestOf<typeof contract.feedOutgoingEvents>) =>
  readOutgoingEvents(sql, request)
