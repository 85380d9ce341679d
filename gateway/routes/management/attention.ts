import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { countAttention } from "../../../services/commissions/contract"
import { program } from "../../http/access"
import { One, route } from "../../http/route"

/** How many wait, and the path of the page that lists them. */
const Waiting = Type.Object({ count: Type.Integer(), path: Type.String() })

/** What of a program waits for a person (behaviour 17.7). */
export const attention = route(
  {
    id: "showAttention",
    method: "GET",
    path: "/api/advertiser/affiliate-programs/:id/attention",
    summary: "Count what of a program waits for a person, each with the path of its page",
    access: program("commission:read"),
    answers: {
      200: One(
        Type.Object({
          commissions_to_review: Waiting,
          refunds_after_payment: Waiting,
          currency_mismatch: Waiting,
        }),
      ),
    },
  },
  async ({ program: { id: program_id, workspace_id } }) => {
    const counts = await call(countAttention, { program_id })
    const commissions = `/programs/${program_id}/commissions`
    return {
      data: {
        commissions_to_review: {
          count: counts.commissions_to_review,
          path: `${commissions}?needs_approval=true`,
        },
        refunds_after_payment: {
          count: counts.refunds_after_payment,
          path: `/workspaces/${workspace_id}/notifications?unread=true`,
        },
        currency_mismatch: {
          count: counts.currency_mismatch,
          path: `${commissions}?status=pending&other_currency=true`,
        },
      },
    }
  },
)
