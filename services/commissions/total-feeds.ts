import { asOfNow, type FeedsRead, type FeedTotal } from "../../lib/audit"
import type { RequestOf } from "../../lib/contract"
import type * as contract from "./contract"
import { sql } from "./db"

/** What the reader of the feeds must have, if it has read that far. */
export const totalFeeds = ({ programs, read }: RequestOf<typeof contract.totalFeeds>) =>
  asOfNow(sql, sql => {
    const mine = (feed: string) => sql`
      program_id > ${programs.after_id}
        and program_id <= ${programs.through_id}
        and pg_visible_in_snapshot(final_xact, ${doneOf(read, feed)}::pg_snapshot)
    `
    return sql<FeedTotal[]>`
      select 'partners' as feed, program_id, count(*) as rows, sum(id)::text as ids,
        '0' as amount_cents
      from partner_programs
      where ${mine("partners")}
      group by program_id
      union all
      select 'commissions', program_id, count(*), sum(id)::text, sum(amount_cents)::text
      from commissions
      where ${mine("commissions")}
      group by program_id
    `
  })

/** Null where nothing was asked of it: then no row is visible. */
const doneOf = (read: FeedsRead, feed: string) =>
  read.find(other => other.feed === feed)?.done ?? null
