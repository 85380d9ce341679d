import { program } from "../../http/access"
import { One, route } from "../../http/route"
import { decide } from "../../views/decision/decision-view"
import { Decision } from "../../views/decision/schema"
import { namesOf, Subject, subjectOf } from "../../views/decision/subject"

/** Why a sale was or was not paid, for the advertiser (behaviour 14.4). */
export const decisions = [
  route(
    {
      id: "showDecision",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/decisions",
      summary: "Explain why a sale was or was not paid, step by step",
      description: `The query names exactly one of ${namesOf(Subject)}.`,
      access: program("commission:read"),
      query: [Subject],
      answers: { 200: One(Decision), 404: "There is no such sale, commission, click or customer." },
    },
    async ({ program, query }) => ({
      data: await decide({ program, subject: await subjectOf(program.id, query) }),
    }),
  ),
]
