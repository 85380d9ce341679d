import { asFault, Fault } from "../../../lib/fault"
import { AsPartner, OfProgram, partnerInQueriedProgram } from "../../http/partner-access"
import { One, route } from "../../http/route"
import { decide } from "../../views/decision/decision-view"
import { toPartner } from "../../views/decision/partner-decision"
import { Decision } from "../../views/decision/schema"
import { namesOf, PartnerSubject, subjectOf } from "../../views/decision/subject"

/** Why a sale was or was not paid, as its partner reads it (behaviour 14.4.4). */
export const partnerDecisions = [
  route(
    {
      id: "showPartnerDecision",
      method: "GET",
      path: "/api/partner/decisions",
      summary: "Explain to a partner why a sale of theirs was or was not paid",
      description: `The query names exactly one of ${namesOf(PartnerSubject)}.`,
      access: partnerInQueriedProgram,
      query: [OfProgram, AsPartner, PartnerSubject],
      answers: { 200: One(Decision), 404: "The partner has no such sale or commission." },
    },
    async ({ program, joined: { partner_id }, query }) => {
      const explain = async () => {
        const subject = await subjectOf(program.id, query, PartnerSubject)
        return decide({ program, subject }, partner_id)
      }
      return { data: toPartner(await explain().catch(throwUniformly)) }
    },
  ),
]

/** The refusal is the same whether the sale is another partner's or does not exist. */
const throwUniformly = (error: unknown) => {
  if (asFault(error).kind !== "missing") throw error
  throw new Fault("missing", "You have no such sale in this program.")
}
