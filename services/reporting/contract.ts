import { type Static, Type } from "@sinclair/typebox"
import { auditOf, FeedTotal } from "../../lib/audit"
import { operation } from "../../lib/bus/contract"
import { Id, Nullable, OneOf, Slice, Time } from "../../lib/fields"
import { healthOf } from "../../lib/health"

const Day = Type.Optional(
  Type.String({ description: "a date like 2026-01-31 or a time like 2026-01-31T23:59:59.999Z" }),
)

/** The query of GET /api/tracking/events/:programId, its page apart (specification 4.6). */
export const EventsQuery = Type.Object({
  eventType: Type.Optional(
    Type.Union([Type.Literal("click"), Type.Literal("lead"), Type.Literal("conversion")], {
      description: "click, lead or conversion",
    }),
  ),
  dateFrom: Day,
  dateTo: Day,
})
export type EventsQuery = Static<typeof EventsQuery>

const common = {
  id: Id,
  timestamp: Time,
  click_id: Nullable(Type.String()), // null: the customer is erased
  created_at: Time,
}

const ClickEvent = Type.Object({
  ...common,
  event_type: Type.Literal("click"),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  referrer_url: Nullable(Type.String()),
  geo_country: Nullable(Type.String()),
  geo_region: Nullable(Type.String()),
  geo_city: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
  device_os: Nullable(Type.String()),
  browser_name: Nullable(Type.String()),
  converted: Type.Boolean(),
})

const LeadEvent = Type.Object({
  ...common,
  event_type: Type.Literal("lead"),
  customer_key: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  converted: Type.Boolean(),
})

const ConversionEvent = Type.Object({
  ...common,
  event_type: Type.Literal("conversion"),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  sale_type: Type.String(),
  payment_status: Type.String(),
  processor_event_id: Type.String(), // the transaction_id
  is_recurring: Type.Boolean(),
})

/** A click, lead or sale in the one shape of its kind (specification 4.6). */
export const Event = Type.Union([ClickEvent, LeadEvent, ConversionEvent])
export type Event = Static<typeof Event>

const EventPlace = Type.Object({ timestamp: Time, event_type: Type.String(), id: Id })
export type EventPlace = Static<typeof EventPlace>

/** How far the answer reaches. Null: everything that was answered before the question came. */
const applied_until = Nullable(Time)

/**
 * The events of a program, the newest first (specification 4.6). `total` counts all that the query
 * means. `after`: the event that the rest of a page goes on from, wherever it stands by now.
 * Faults: invalid (a date that does not exist, a range that ends before it starts or is too long).
 */
export const listEvents = operation("reporting.event.list", {
  request: Type.Object({
    program_id: Id,
    query: EventsQuery,
    slice: Slice,
    after: Type.Optional(EventPlace),
  }),
  reply: Type.Object({ rows: Type.Array(Event), total: Type.Integer(), applied_until }),
})

/** The query of GET /api/tracking/performance/:programId (specification 4.7). */
export const PerformanceQuery = Type.Object({
  period: Type.Optional(Type.String({ description: "7d, 30d, 90d or all" })), // with dates: ignored
  dateFrom: Day,
  dateTo: Day,
})
export type PerformanceQuery = Static<typeof PerformanceQuery>

const Trend = Type.Object({
  trend: Type.Number(), // the change in percent, without its sign
  trendDirection: Type.Union([Type.Literal("up"), Type.Literal("down"), Type.Literal("stable")]),
})
export type Trend = Static<typeof Trend>

/** What a program did in a period, in the shape of specification 4.7. Money in major units. */
export const Performance = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String(),
      period: Type.String(), // the same
      clicks: Type.Integer(),
      leads: Type.Integer(),
      conversions: Type.Integer(),
      revenue: Type.Number(),
      partners: Type.Integer(),
      sales: Type.Integer(), // always 0
      commission: Type.Number(),
    }),
  ),
  metrics: Type.Object({
    totalClicks: Type.Integer(),
    totalLeads: Type.Integer(),
    totalConversions: Type.Integer(),
    totalRevenue: Type.Number(),
    conversionRate: Type.Number(),
    averageOrderValue: Type.Number(),
    totalPartners: Type.Integer(),
    totalSales: Type.Integer(),
    totalPartnersCommission: Type.Number(),
    clicksTrend: Trend,
    leadsTrend: Trend,
    conversionsTrend: Trend,
    revenueTrend: Trend,
    partnersTrend: Trend,
    salesTrend: Trend,
    commissionTrend: Trend,
  }),
  meta: Type.Object({
    period: Type.String(), // 7d, 30d, 90d, all or custom
    dateFrom: Time,
    dateTo: Time,
    previousPeriod: Type.Object({ dateFrom: Time, dateTo: Time }),
    otherCurrencies: Type.Array(
      Type.Object({ currency: Type.String(), revenue: Type.Number(), commission: Type.Number() }),
    ),
  }),
})
export type Performance = Static<typeof Performance>

/**
 * Daily aggregates of a program, its totals, and their trends against the period of equal length
 * before (specification 4.7). Revenue and commission are of the program's currency and gross.
 * Faults: invalid (a period or date that does not exist, half a range, one that is too long).
 */
export const showPerformance = operation("reporting.performance.show", {
  request: Type.Object({
    program: Type.Object({ id: Id, currency: Type.String(), created_at: Time }),
    query: PerformanceQuery,
  }),
  reply: Type.Object({ performance: Performance, applied_until }),
})

/**
 * The metrics of several programs together: one entry for each currency that is a program's own.
 * `meta` as of one program; "all" starts with the oldest. Faults: invalid, as above.
 */
export const showSummary = operation("reporting.summary.show", {
  request: Type.Object({
    programs: Type.Array(Type.Object({ id: Id, currency: Type.String(), created_at: Time })),
    query: PerformanceQuery,
  }),
  reply: Type.Object({
    currencies: Type.Array(
      Type.Composite([Type.Object({ currency: Type.String() }), Performance.properties.metrics]),
    ),
    meta: Performance.properties.meta,
    applied_until,
  }),
})

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

const BreakdownPlace = Type.Object({
  value: Type.String(),
  as_of: Time, // when the first part was asked for: what the period means does not change midway
})
export type BreakdownPlace = Static<typeof BreakdownPlace>

/** The events of a program, the newest first; as they are when their part is read. */
export const exportEvents = operation("reporting.event.export", {
  request: Type.Object({ program_id: Id, query: EventsQuery, after: Nullable(EventPlace) }),
  reply: Type.Object({
    rows: Type.Array(Event),
    next: Nullable(EventPlace),
    applied_until, // null in all parts but the first
  }),
})

/** All rows of a breakdown in the order of their values: sort and order are not looked at. */
export const exportBreakdown = operation("reporting.breakdown.export", {
  request: Type.Object({
    program: OfProgram,
    query: BreakdownQuery,
    after: Nullable(BreakdownPlace),
  }),
  reply: Type.Object({
    rows: Type.Array(BreakdownRow),
    next: Nullable(BreakdownPlace),
    applied_until,
  }),
})

// For whoever checks the books.

export const auditBooks = auditOf("reporting")

/**
 * The totals of all feeds for so many programs from `after_id` on. `done` is how far each has been
 * read, as lib/feeds/feed.ts says it; null: it is being read right now, or has never been.
 */
export const totalFeeds = operation("reporting.feed.total", {
  request: Type.Object({ after_id: Type.Integer(), limit: Type.Integer() }),
  reply: Type.Object({
    totals: Type.Array(FeedTotal),
    cursors: Type.Array(Type.Object({ feed: Type.String(), done: Nullable(Type.String()) })),
  }),
})

export const showHealth = healthOf("reporting")
