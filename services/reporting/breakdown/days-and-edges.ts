import type { Database, Transaction } from "../../../lib/db/database"
import type { Range } from "../../../lib/range"
import { dayOf, startOf } from "../../../lib/time"
import type { By } from "../contract"
import { isOfType } from "../events/events"
import { type Edge, splitIntoDays } from "../periods/range"
import { KEPT_FROM } from "../retention/dropped-clicks"
import { commissionFacts, DIMENSION_COLUMNS, eventFacts } from "../rollups/daily-breakdown"

/** `partner_id`: the part of one partner. Absent: the whole program. */
type ValuesIn = Range & { program_id: number; by: By; partner_id?: number }

/**
 * Selects what each value of a dimension adds up to in a range, by day and currency: the rollups of
 * whole days, and the events at the edges, one by one.
 */
export function selectDaysAndEdges(sql: Database | Transaction, filter: ValuesIn) {
  const { partner_id } = filter
  if (partner_id !== undefined) return selectOfPartner(sql, { ...filter, partner_id })
  const { days, edges } = splitIntoDays(filter)
  const whole = sql`
    select value, day, currency, clicks, leads, conversions, revenue_cents, commission_cents
    from daily_breakdown
    where program_id = ${filter.program_id} and dimension = ${filter.by}
      and day between ${days?.first ?? "infinity"} and ${days?.last ?? "-infinity"}
  `
  return edges.reduce((all, edge) => sql`${all} union all ${selectEdge(sql, filter, edge)}`, whole)
}

/** Selects the counts of an edge. Clicks that retention dropped count at the start of their day. */
function selectEdge(
  sql: Database | Transaction,
  { program_id, by }: ValuesIn,
  { day, from, to }: Edge,
) {
  const events = sql`
    events
    where program_id = ${program_id} and timestamp between ${from} and ${to}
      ${isOfType(null)}
  `
  const commissions = sql`
    commissions where program_id = ${program_id} and created_at between ${from} and ${to}
  `
  const facts = sql`
    ${eventFacts(sql, events)} union all ${commissionFacts(sql, commissions)}
  `
  return sql`
    select
      coalesce(${sql(DIMENSION_COLUMNS[by])}::text, '') as value,
      day, currency, clicks, leads, conversions, revenue_cents, commission_cents
    from (${facts}) as edge
    union all
    select value, day, currency, clicks, 0, 0, 0, 0
    from daily_breakdown
    where program_id = ${program_id} and dimension = ${by} and day = ${day}
      and ${from === startOf(day)} and day < ${KEPT_FROM}
  `
}

/**
 * Selects the events of a partner, one by one: no rollup has a second dimension. Clicks that
 * retention dropped are known by their partner alone, so they have no value.
 */
function selectOfPartner(
  sql: Database | Transaction,
  { program_id, partner_id, by, from, to }: ValuesIn & { partner_id: number },
) {
  const isOfPartner = sql`program_id = ${program_id} and partner_id = ${partner_id}`
  const events = sql`
    events where ${isOfPartner} and timestamp between ${from} and ${to} ${isOfType(null)}
  `
  const commissions = sql`
    commissions where ${isOfPartner} and created_at between ${from} and ${to}
  `
  return sql`
    select
      coalesce(${sql(DIMENSION_COLUMNS[by])}::text, '') as value,
      day, currency, clicks, leads, conversions, revenue_cents, commission_cents
    from (
      ${eventFacts(sql, events)} union all ${commissionFacts(sql, commissions)}
    ) as fact
    union all
    select '', day, currency, clicks, 0, 0, 0, 0
    from daily_breakdown
    where program_id = ${program_id} and dimension = 'partner' and value = ${`${partner_id}`}
      and day::timestamp at time zone 'UTC' between ${from} and ${to}
      and day between ${dayOf(from)} and ${dayOf(to)}
      and day < ${KEPT_FROM}
  `
}
