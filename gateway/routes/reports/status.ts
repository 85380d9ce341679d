import { type TSchema, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"
import { listPartners } from "../../../services/commissions/contract"
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
  lastUpdated: Time,
})

const ONE = { offset: 0, limit: 1 }

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
    async ({ program: { id: program_id } }) => {
      const [{ steps, now }, partners] = await Promise.all([
        call(showStatus, { program_id }),
        call(listPartners, { program_id, slice: ONE }),
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
          lastUpdated: now,
        },
      }
    },
  ),
]

/** Converts the three steps, under the names that the reply uses. */
const each = <Step, View>(
  { click, lead, sale }: Record<"click" | "lead" | "sale", Step>,
  view: (step: Step) => View,
) => ({ pageview: view(click), referrals: view(lead), payments: view(sale) })
