import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { listPartners } from "../services/commissions/contract"
import { showStatus } from "../services/tracking/contract"
import { permitUnhidden, sessionOf } from "./caller"

const ONE = { offset: 0, limit: 1 }

/** How far an advertiser has come with the integration of a program (contract 4). */
export const status = new Elysia().get(
  "/api/tracking/status/:programId",
  async ({ request, params }) => {
    const caller = await sessionOf(request) // 401
    const { id: program_id } = await permitUnhidden(caller, "tracking:read", params.programId)
    const [{ steps, now }, partners] = await Promise.all([
      call(showStatus, { program_id }),
      call(listPartners, { program_id, slice: ONE }),
    ])
    return {
      data: {
        programId: program_id,
        stepStatuses: each(steps, ({ is_complete }) => (is_complete ? "complete" : "pending")),
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
)

/** The three steps by the names that they have in the answer. */
const each = <Step, View>(
  { click, lead, sale }: Record<"click" | "lead" | "sale", Step>,
  view: (step: Step) => View,
) => ({ pageview: view(click), referrals: view(lead), payments: view(sale) })
