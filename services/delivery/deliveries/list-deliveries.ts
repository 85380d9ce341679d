import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type * as contract from "../contract"
import type { Delivery } from "../contract"
import { sql } from "../db"
import { eventId } from "../events/event-body"
import { deliveryColumns, ofEndpoint } from "./find-deliveries"

type Request = RequestOf<typeof contract.listDeliveries>
type Row = Omit<Delivery, "event_id" | "attempts"> & {
  event_key: string
  attempts: (Delivery["attempts"][number] & { signature: string | null })[]
}

export async function listDeliveries({ status, type, from, to, slice, ...key }: Request) {
  const isListed = sql`
    ${ofEndpoint(key)}
    and delivery.created_at between ${from}::timestamptz and ${to}::timestamptz
    ${status ? sql`and delivery.status = ${status}` : sql``}
    ${type ? sql`and delivery.type = ${type}` : sql``}
  `
  const rows = await sql<Row[]>`
    select ${deliveryColumns}
    from deliveries as delivery
    left join events as event on event.id = event_id
    where ${isListed}
    order by delivery.id desc
    limit ${slice.limit}
    offset ${slice.offset}
  `
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*) as total
    from deliveries as delivery
    where ${isListed}
  `
  return { rows: rowsThatFit(rows.map(shown)), total }
}

const shown = ({ event_key, attempts, ...delivery }: Row): Delivery => ({
  ...delivery,
  event_id: eventId(event_key),
  attempts: attempts.map(({ signature: _, ...attempt }) => attempt),
})
