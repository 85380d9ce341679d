import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Nullable, OneOf, Slice, Time } from "../../../lib/fields"
import { applied_until } from "../freshness/contract"
import { Performance, PerformanceQuery } from "../performance/contract"

/** The dimension of a breakdown. */
export const By = OneOf("partner", "link", "country", "device", "browser", "referrer", "sub_id")

export type By = Static<typeof By>

/** The query of GET /api/tracking/breakdown/:programId without its page (behaviour 7.7). */
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
 * The numbers of one value of a dimension (behaviour 7.7). All rows of a period add up to its
 * performance. `value`: an id for partners and links, else a text; null: events without a value.
 * `label`: the partner's name or the link's code; null: unknown, or another dimension.
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

const ReportedProgram = Type.Object({ id: Id, currency: Type.String(), created_at: Time })

const BreakdownMeta = Type.Object({ by: By, period: Type.String(), dateFrom: Time, dateTo: Time })

/**
 * Returns a page of the breakdown of a program by one dimension (behaviour 7.7). Ties are sorted by
 * value. Revenue and commission are in the program's currency and gross (behaviour 7.4).
 * Faults: invalid (a period or date that does not exist, half a range, one that is too long).
 */
export const showBreakdown = operation("reporting.breakdown.show", {
  request: Type.Object({ program: ReportedProgram, query: BreakdownQuery, slice: Slice }),
  reply: Type.Object({
    rows: Type.Array(BreakdownRow),
    total: Type.Integer(),
    meta: BreakdownMeta,
    applied_until,
  }),
})

/**
 * Returns the performance of one partner (behaviour 7.3.6): the performances of all partners of a program
 * add up to that of the program. `partner` counts as created at `created_at`.
 * Faults: invalid (as for showPerformance).
 */
export const showPartnerPerformance = operation("reporting.partner_performance.show", {
  request: Type.Object({
    program: ReportedProgram,
    partner: Type.Object({ partner_id: Id, created_at: Time }),
    query: PerformanceQuery,
  }),
  reply: Type.Object({ performance: Performance, applied_until }),
})

/** The query of GET /api/partner/programs/:programId/breakdown without its page (behaviour 17.10.6). */
export const PartnerBreakdownQuery = Type.Object({
  ...PerformanceQuery.properties,
  by: Type.Optional(OneOf("link", "sub_id", "country", "device")), // link when absent
  sort: Type.Optional(OneOf("clicks", "leads", "conversions", "commission", "conversionRate")),
  order: BreakdownQuery.properties.order,
})

/**
 * Returns a page of the breakdown of one partner's part of a program (behaviour 17.10.6). All rows of a
 * period add up to the partner's performance. Clicks that retention dropped have no value.
 * Faults: invalid (as for showPerformance).
 */
export const showPartnerBreakdown = operation("reporting.partner_breakdown.show", {
  request: Type.Object({
    program: ReportedProgram,
    partner_id: Id,
    query: PartnerBreakdownQuery,
    slice: Slice,
  }),
  reply: showBreakdown.reply,
})

const BreakdownCursor = Type.Object({
  value: Type.String(),
  as_of: Time, // the time of the first request, so that the period stays the same in all parts
})

export type BreakdownCursor = Static<typeof BreakdownCursor>

/**
 * Returns a part of a breakdown, sorted by value; `sort` and `order` are ignored (behaviour 7.8).
 * `after`: the `next` of the part before, null for the first. `next` null: this is the last part.
 * Faults: invalid (as for showBreakdown), unavailable (the reports are being rebuilt, and an export
 * would miss rows).
 */
export const exportBreakdown = operation("reporting.breakdown.export", {
  request: Type.Object({
    program: ReportedProgram,
    query: BreakdownQuery,
    after: Nullable(BreakdownCursor),
  }),
  reply: Type.Object({
    rows: Type.Array(BreakdownRow),
    next: Nullable(BreakdownCursor),
    applied_until,
  }),
})
