import { call } from "../../../lib/bus/bus"
import type { Fragment } from "../../../lib/db/database"
import { asFault } from "../../../lib/fault"
import { type Range, rangeOf } from "../../../lib/range"
import { findCustomer } from "../../tracking/contract"
import type { By, Event, EventsQuery } from "../contract"
import { sql } from "../db"

export type EventType = Event["event_type"]

/** Events of a program in a range. `event_type` null: all types. */
export type EventFilter = Range & {
  program_id: number
  event_type: EventType | null
  values: Values // that their columns must have; empty: no condition
}

type Values = {
  partner_id?: number
  link_id?: number
  geo_country?: string
  customer_id?: number
  transaction_id?: string
}

/** The columns whose values daily_breakdown counts. */
const DIMENSIONS: Record<string, By> = {
  partner_id: "partner",
  link_id: "link",
  geo_country: "country",
}

/** Reads the filter of a query. Null: no customer has its key. Throws "invalid" for its dates. */
export async function filterOf(
  program_id: number,
  query: EventsQuery,
): Promise<EventFilter | null> {
  const { eventType, partner_id, link_id, country, customer_key, transaction_id } = query
  const range = rangeOf(query)
  const customer_id = customer_key ? await findByKey(program_id, customer_key) : undefined
  if (customer_id === null) return null

  const values = {
    ...(partner_id && { partner_id: Number(partner_id) }),
    ...(link_id && { link_id: Number(link_id) }),
    ...(country && { geo_country: country }),
    ...(customer_id && { customer_id }),
    ...(transaction_id && { transaction_id }),
  }
  return { program_id, event_type: eventType ?? null, values, ...range }
}

async function findByKey(program_id: number, customer_key: string): Promise<number | null> {
  try {
    return (await call(findCustomer, { program_id, customer_key })).customer_id
  } catch (error) {
    if (asFault(error).kind === "missing") return null
    throw error
  }
}

/** Whether only some values match. */
export const isNarrowed = ({ values }: EventFilter): boolean => Object.keys(values).length > 0

/**
 * The one value of a dimension that events must have: daily_breakdown has counts of it. Null: they
 * must have none, another one or several.
 */
export function dimensionOf({ values }: EventFilter): { dimension: By; value: string } | null {
  const [[column, value] = [], ...others] = Object.entries(values)
  const dimension = DIMENSIONS[column ?? ""]
  return dimension && others.length === 0 ? { dimension, value: `${value}` } : null
}

/** Restricts rows to those with the values. Only sales have a transaction_id, and its index. */
export const hasValues = (values: Values): Fragment =>
  Object.entries(values).reduce(
    (others, [column, value]) => sql`${others} and ${sql(column)} = ${value}`,
    values.transaction_id === undefined ? sql`` : sql`and event_type = 'conversion'`,
  )
