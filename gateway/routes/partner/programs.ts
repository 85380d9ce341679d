import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import { listJoinedPrograms } from "../../../services/commissions/contract"
import { findPrograms } from "../../../services/identity/contract"
import { partner } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { AsPartner, partnerInProgram } from "../../http/partner-access"
import { One, route } from "../../http/route"
import { JoinedProgramView, joinedProgramView } from "../../views/joined-program-view"

/** The programs that a person has joined as a partner (behaviour 17.10.2). */
export const partnerPrograms = [
  route(
    {
      id: "listPartnerPrograms",
      method: "GET",
      path: "/api/partner/programs",
      summary: "List the programs of a partner",
      access: partner,
      query: [Page],
      answers: { 200: Listed(JoinedProgramView) },
    },
    async ({ account_id, page }) => {
      const { rows, total } = await wholePage(page, slice =>
        call(listJoinedPrograms, { account_id, slice }),
      )
      const program_ids = rows.map(({ program_id }) => program_id)
      const { programs } = await call(findPrograms, { program_ids })
      const byId = new Map(programs.map(program => [program.id, program]))
      const views = rows.map(joined =>
        joinedProgramView({ joined, program: byId.get(joined.program_id)! }),
      )
      return listOf(views, total, page)
    },
  ),
  route(
    {
      id: "showPartnerProgram",
      method: "GET",
      path: "/api/partner/programs/:programId",
      summary: "Show a program of a partner",
      access: partnerInProgram,
      query: [AsPartner],
      answers: { 200: One(JoinedProgramView) },
    },
    ({ program, joined }) => ({ data: joinedProgramView({ program, joined }) }),
  ),
]
