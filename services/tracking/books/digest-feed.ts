import { type TObject, Type } from "@sinclair/typebox"
import type { RequestOf } from "../../../lib/bus/operation"
import type { Fragment } from "../../../lib/db/database"
import { columnsOf, type Digestible, digest, idOf } from "../../../lib/feeds/digest"
import { inSnapshot } from "../../../lib/reconcile"
import type * as contract from "../contract"
import { ClickRow, DroppedClicksRow, ErasureRow, LeadRow, SaleRow } from "../contract"
import { sql } from "../db"
import { KEPT_FROM } from "./kept-clicks"

type Request = RequestOf<typeof contract.digestFeed>

/** Digests the rows of a feed that its reader must have. */
export const digestFeed = ({ feed, done, scope }: Request) =>
  inSnapshot(sql, sql => {
    const isRead = sql`pg_visible_in_snapshot(final_xact, ${done}::pg_snapshot)`
    return digest(sql, FEEDS[feed as keyof typeof FEEDS](isRead), scope)
  })

/** The reader keeps the newest click of a sale only if that converts its customer. */
const KEPT_OF_SALES = columnsOf(Type.Omit(SaleRow, ["last_click_event_id"]))

const FEEDS = {
  clicks: (isRead: Fragment) =>
    rowsOf(
      ClickRow,
      sql`affiliate_click_events where ${isRead} and click_timestamp >= ${KEPT_FROM}`,
    ),
  leads: (isRead: Fragment) => rowsOf(LeadRow, sql`affiliate_lead_events where ${isRead}`),
  sales: (isRead: Fragment) =>
    rowsOf(
      SaleRow,
      sql`
        (
          select
            id, ${sql(KEPT_OF_SALES)},
            case when converts then last_click_event_id end as last_click_event_id
          from affiliate_sale_events
          where ${isRead}
        ) as sale
        where true
      `,
    ),
  erasures: (isRead: Fragment) => ({
    ...rowsOf(
      ErasureRow,
      sql`(select distinct customer_id, scope from erasures where ${isRead}) as erasure where true`,
    ),
    id: sql`customer_id`,
  }),
  dropped_clicks: (isRead: Fragment) => ({
    ...rowsOf(DroppedClicksRow, sql`dropped_clicks where ${isRead}`),
    id: idOf(sql, sql`program_id, dimension, value, starts_at`), // the reader keeps no other
  }),
}

const rowsOf = (row: TObject, from: Fragment): Digestible => ({
  from,
  id: sql`id`,
  columns: columnsOf(row),
})
