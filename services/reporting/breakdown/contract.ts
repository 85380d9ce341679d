import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { applied_until } from "../freshness/contract"
import { Performance, PerformanceQuery } from "../performance/contract"

/** What a breakdown can be by. */
export const By = OneOf("partner", "link", "country", "device", "browser", "referrer", "sub_id")

export type By = Static<typeof By>

/** The query of GET /api/tracking/breakdown/:programId, its page apart. */
export const BreakdownQuery = Type.Object({
  ...PerformanceQuery.properties,
  by: Type.Optional(By), // partner when absent
  sort: Type.Optional(
    OneOf("clicks", "leads", "conversions", "revenue", "commission", "conversionRate"),
  ), // clicks when absent
  order: Type.Optional(OneOf("desc", "asc")), // desc when absent
})

export type BreakdownQuery = Static<typeof BreakdownQuery>

const OtherCurrencies = Performance.properties.meta.properties.otherCurrencies

/**
 * What came of one value, by the definitions of specification 4.7: all rows of a period add up to
 * its performance. `value` is an id by partner and link, else a text; null: there is none.
 * `label`: the partner's name or the link's code.
 */
export const BreakdownRow = Type.Object({
  value: Type.Union([Id, Type.String(), Type.Null()]),
  label: Nullable(Type.String()),
  clicks: Type.Integer(),
  leads: Type.Integer(),
  conversions: Type.Integer(),
  revenue: Type.Number(),
  commission: Type.Number(),
  conversionRate: Type.Number(),
  otherCurrencies: OtherCurrencies,
})

export type BreakdownRow = Static<typeof BreakdownRow>

const OfProgram = Type.Object({ id: Id, currency: Type.String(), created_at: Time })

const BreakdownMeta = Type.Object({ by: By, period: Type.String(), dateFrom: Time, dateTo: Time })

/**
 * What each partner, link, country and so on brought in a period; those that are equal in what is
 * sorted by come in the order of their values. Revenue and commission as in performance.
 * Faults: invalid (as for performance).
 */
export const showBreakdown = operation("reporting.breakdown.show", {
  request: Type.Object({ program: OfProgram, query: BreakdownQuery, slice: Slice }),
  reply: Type.Object({
    rows: Type.Array(BreakdownRow),
    total: Type.Integer(),
    meta: BreakdownMeta,
    applied_until,
  }),
})

// Exports. They are asked for part by part; `next` says where the next one begins, null: nowhere.
// Faults of each: invalid, as for the list, and unavailable: the reports are being rebuilt, and an
// export must not pass over what is not there again yet.

const BreakdownCursor = Type.Object({
  value: Type.String(),
  as_of: Time, // when the first part was asked for: what the period means does not change midway
})

export type BreakdownCursor = Static<typeof BreakdownCursor>

/** All rows of a breakdown in the order of their values: sort and order are not looked at. */
export const exportBreakdown = operation("reporting.breakdown.export", {
  request: Type.Object({
    program: OfProgram,
    query: BreakdownQuery,
    after: Nullable(BreakdownCursor),
  }),
  reply: Type.Object({
    rows: Type.Array(BreakdownRow),
    next: Nullable(BreakdownCursor),
    applied_until,
  }),
})
