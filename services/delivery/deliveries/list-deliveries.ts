import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type { Fragment } from "../../../lib/db/database"
import type { Slice } from "../../../lib/fields"
import type * as contract from "../contract"
import type { Delivery } from "../contract"
import { sql } from "../db"
import { eventId } from "../events/event-body"
import { deliveryColumns, ofEndpoint } from "./find-deliveries"

type Request = RequestOf<typeof contract.listDeliveries>
type Query = { status?: string; type?: string; from: string; to: string; slice: Slice }
type Row<Type> = Omit<Delivery, "event_id" | "type" | "attempts"> & {
  event_key: string
  type: Type
  attempts: (Delivery["attempts"][number] & { signature: string | null })[]
}

export const listDeliveries = ({ status, type, from, to, slice, ...key }: Request) =>
  deliveriesOf<Delivery["type"]>(ofEndpoint(key), { status, type, from, to, slice })

/** A slice of the deliveries of a receiver, newest first. */
export async function deliveriesOf<Type extends string>(
  receiver: Fragment,
  { status, type, from, to, slice }: Query,
) {
  const isListed = sql`
    ${receiver}
    and delivery.created_at between ${from}::timestamptz and ${to}::timestamptz
    ${status ? sql`and delivery.status = ${status}` : sql``}
    ${type ? sql`and delivery.type = ${type}` : sql``}
  `
  const rows = await sql<Row<Type>[]>`
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

const shown = <Type>({ event_key, attempts, ...delivery }: Row<Type>) => ({
  ...delivery,
  event_id: eventId(event_key),
  attempts: attempts.map(({ signature: _, ...attempt }) => attempt),
})
