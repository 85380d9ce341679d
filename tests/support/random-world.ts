import fc from "fast-check"
import type { Move } from "./funnel"

/** The time at which each program is created. */
export const FIRST = "2023-12-20T10:00:00.000Z"
const LAST = "2024-05-10"

/** Leap days, month and year boundaries, and daylight saving changes. */
const EDGES = ["2024-01-01", "2024-02-01", "2024-02-29", "2024-03-01", "2024-03-31", "2024-05-01"]
const LATER_EDGES = ["2025-01-01", "2025-02-28", "2025-03-01"]
const HOUR_MS = 3_600_000

const time = (ms: number) => new Date(ms).toISOString()
const among = (max: number) => fc.nat(max - 1)

const edge = fc
  .record({
    day: fc.constantFrom(...EDGES, ...EDGES, ...LATER_EDGES),
    hour: fc.constantFrom(0, 0, 0, 1, 13),
    ms: fc.constantFrom(-1, 0, 1),
  })
  .map(({ day, hour, ms }) => time(Date.parse(day) + hour * HOUR_MS + ms))
const anytime = fc.integer({ min: Date.parse(FIRST), max: Date.parse(LAST) }).map(time)
const instant = fc.oneof(edge, anytime)

const who = among(8)
const click = fc.record({ what: fc.constant("click" as const), who, link: among(3) })
const lead = fc.record({ what: fc.constant("lead" as const), who, has_token: fc.boolean() })
const sale = fc.record({
  what: fc.constant("sale" as const),
  who,
  amount_cents: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 1e9 })),
  currency: fc.constantFrom("USD", "USD", "EUR", "JPY", "KWD"),
  renews: fc.boolean(),
})
const refund = fc.record({
  what: fc.constant("refund" as const),
  sale: among(20),
  refund_amount_cents: among(100), // 0: all of it
})
const testing = fc.record({
  what: fc.constant("test" as const),
  kind: fc.constantFrom("click" as const, "lead" as const, "sale" as const),
})
const partner = fc.record({ what: fc.constant("partner" as const) })
const move: fc.Arbitrary<Move> = fc.oneof(
  ...[click, click, click, lead, lead, lead, sale, sale, refund, testing, partner],
)

/** What happens at one moment, all at once. The moments come in random order. */
const step = fc.record({
  at: instant,
  moves: fc.array(move, { minLength: 1, maxLength: 6, size: "max" }),
  opens: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2, 3)),
  looks: fc.boolean(),
})

const bounds = fc
  .record({ one: instant, other: instant, are_days: fc.boolean() })
  .map(({ one, other, are_days }) => {
    const [from, to] = [one, other].sort().map(time => (are_days ? time.slice(0, 10) : time))
    return { from, to } as { from: string; to: string }
  })

/** A history of a program, and the reports requested about it. */
export const world = fc.record({
  terms: fc.record({
    currency: fc.constantFrom("USD", "EUR", "JPY", "KWD"),
    cookie_window_days: fc.constantFrom(1, 30, 60),
    attribution_model: fc.constantFrom("last_click", "first_click"),
  }),
  steps: fc.array(step, { minLength: 10, maxLength: 25, size: "max" }),
  ranges: fc.array(bounds, { minLength: 3, maxLength: 3 }),
  periods: fc.array(
    fc.record({ now: instant, period: fc.constantFrom("7d", "30d", "90d", "all") }),
    { minLength: 4, maxLength: 4 },
  ),
  listings: fc.array(
    fc.record({
      event_type: fc.constantFrom(undefined, undefined, "click", "lead", "conversion"),
      bounds: fc.option(bounds, { nil: undefined }),
      page_size: fc.constantFrom(1, 3, 10, 100),
    }),
    { minLength: 4, maxLength: 4 },
  ),
})
export type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never
