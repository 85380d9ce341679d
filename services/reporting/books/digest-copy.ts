import { type TObject, Type } from "@sinclair/typebox"
import type { RequestOf } from "../../../lib/bus/operation"
import type { Fragment } from "../../../lib/db/database"
import { columnsOf, type Digestible, digest, idOf } from "../../../lib/feeds/digest"
import { inSnapshot } from "../../../lib/reconcile"
import { CommissionRow, PartnerRow } from "../../commissions/contract"
import { ClickRow, DroppedClicksRow, ErasureRow, LeadRow, SaleRow } from "../../tracking/contract"
import type * as contract from "../contract"
import { sql } from "../db"
import { KEPT_FROM } from "../retention/dropped-clicks"

type Request = RequestOf<typeof contract.digestCopy>

/** Digests the rows of a feed that are applied here, and reads its cursor in the same snapshot. */
export const digestCopy = ({ feed, scope }: Request) =>
  inSnapshot(sql, async sql => {
    const [{ done }] = await sql<[{ done: string | null }]>`
      select case jsonb_typeof(cursor -> 'target') when 'null' then cursor ->> 'done' end as done
      from cursors
      where feed = ${feed}
    `
    const digests = await digest(sql, FEEDS[feed as keyof typeof FEEDS], scope)
    return { done, digests }
  })

const rowsOf = (
  row: TObject,
  from: Fragment,
  renamed: Record<string, string> = {},
): Digestible => ({
  from,
  id: sql`id`,
  columns: columnsOf(row).map(name => renamed[name] ?? name),
})

const FEEDS = {
  clicks: rowsOf(ClickRow, sql`events where event_type = 'click' and timestamp >= ${KEPT_FROM}`, {
    click_timestamp: "timestamp",
  }),
  leads: rowsOf(LeadRow, sql`events where event_type = 'lead'`, { lead_timestamp: "timestamp" }),
  sales: rowsOf(
    SaleRow,
    sql`
      (
        select events.*, last_click_event_id
        from events
        left join conversions on conversions.customer_id = events.customer_id and converts
        where event_type = 'conversion'
      ) as sale
      where true
    `,
    { sale_date: "timestamp" },
  ),
  partners: rowsOf(Type.Omit(PartnerRow, ["partner_id"]), sql`partners where true`),
  commissions: rowsOf(CommissionRow, sql`commissions where true`),
  erasures: { ...rowsOf(ErasureRow, sql`erased_customers where true`), id: sql`customer_id` },
  dropped_clicks: {
    ...rowsOf(DroppedClicksRow, sql`dropped_clicks where true`),
    id: idOf(sql, sql`program_id, dimension, value, starts_at`),
  },
}
