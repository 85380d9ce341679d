import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import { listJoinedPrograms } from "../../../services/commissions/contract"
import {
  AcceptedVersion,
  acceptTerms,
  findPrograms,
  PartnerTerms,
} from "../../../services/identity/contract"
import { partner } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { AsPartner, partnerInProgram } from "../../http/partner-access"
import { One, route } from "../../http/route"
import {
  JoinedProgramDetails,
  JoinedProgramView,
  joinedProgramDetails,
  joinedProgramView,
} from "../../views/joined-program-view"

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
      answers: { 200: One(JoinedProgramDetails) },
    },
    async ({ program, joined }) => ({ data: await joinedProgramDetails({ program, joined }) }),
  ),
  route(
    {
      id: "acceptTerms",
      method: "POST",
      path: "/api/partner/programs/:programId/terms",
      summary: "Accept the terms of a program",
      access: partnerInProgram,
      changesProgram: true,
      body: AcceptedVersion,
      answers: {
        200: One(PartnerTerms),
        409: "Another version is in force, there are no terms, or the program is archived.",
      },
    },
    async ({ joined: { program_id, partner_id }, body: { version } }) => ({
      data: await call(acceptTerms, { program_id, partner_id, version }),
    }),
  ),
]
