import { type TSchema, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"
import { listPartners } from "../../../services/commissions/contract"
import type { Program } from "../../../services/identity/contract"
import { showSummary } from "../../../services/reporting/contract"
import { showStatus } from "../../../services/tracking/contract"
import { programBySession } from "../../http/access"
import { One, route } from "../../http/route"

const Steps = <Step extends TSchema>(step: Step) =>
  Type.Object({ pageview: step, referrals: step, payments: step })

const StatusView = Type.Object({
  programId: Id,
  stepStatuses: Steps(OneOf("complete", "pending")),
  statistics: Steps(
    Type.Object({
      testEventCount: Type.Integer(),
      hasTestEvents: Type.Boolean(),
      latestTestEvent: Nullable(Type.Object({ id: Id, timestamp: Time, createdAt: Time })),
    }),
  ),
  hasPartners: Type.Boolean(),
  hints: Type.Array(
    Type.Object({ code: OneOf("leads_without_key", "other_currency"), message: Type.String() }),
  ),
  lastUpdated: Time,
})

const ONE = { offset: 0, limit: 1 }
const HINTS_TIMEOUT_MS = 2_000
const LEADS_WITHOUT_KEY = {
  code: "leads_without_key",
  message:
    "Leads have arrived, but none with a customer_key. Send your own id of the customer as " +
    "customer_key with each lead, so that a sale can name the customer by it.",
} as const

/** How far an advertiser has come with the integration of a program (behaviour 5.4). */
export const status = [
  route(
    {
      id: "showStatus",
      method: "GET",
      path: "/api/tracking/status/:programId",
      summary: "Show which integration steps of a program are complete",
      access: programBySession("tracking:read"),
      answers: { 200: One(StatusView) },
    },
    async ({ program }) => {
      const program_id = program.id
      const [{ steps, lacks_keys, now }, partners, hints] = await Promise.all([
        call(showStatus, { program_id }),
        call(listPartners, { program_id, slice: ONE }),
        currencyHints(program).catch(() => []), // the status does not depend on reporting
      ])
      return {
        data: {
          programId: program_id,
          stepStatuses: each(steps, step => (step.is_complete ? "complete" : "pending")),
          statistics: each(steps, ({ test_events, latest }) => ({
            testEventCount: test_events,
            hasTestEvents: test_events > 0,
            latestTestEvent: latest && {
              id: latest.id,
              timestamp: latest.timestamp,
              createdAt: latest.created_at,
            },
          })),
          hasPartners: partners.total > 0,
          hints: lacks_keys ? [LEADS_WITHOUT_KEY, ...hints] : hints,
          lastUpdated: now,
        },
      }
    },
  ),
]

/** Returns a hint if sales in another currency are missing from the revenue of reports (behaviour 7.4). */
async function currencyHints({ id, currency, created_at }: Program) {
  const request = { programs: [{ id, currency, created_at }], query: { period: "all" } }
  const { meta } = await call(showSummary, request, HINTS_TIMEOUT_MS)
  const others = meta.otherCurrencies.filter(({ revenue }) => revenue > 0)
  if (others.length === 0) return []

  const names = others.map(other => other.currency).join(", ")
  const message =
    `Sales arrive in ${names}, but the program's currency is ${currency}. ` +
    "Reports list them separately, under otherCurrencies. If that is a mistake, send the currency " +
    "with each sale: one without it is in USD."
  return [{ code: "other_currency" as const, message }]
}

/** Converts the three steps, under the names that the reply uses. */
const each = <Step, View>(
  { click, lead, sale }: Record<"click" | "lead" | "sale", Step>,
  view: (step: Step) => View,
) => ({ pageview: view(click), referrals: view(lead), payments: view(sale) })
