import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { ReplyOf } from "../../../lib/bus/operation"
import { asFault, Fault } from "../../../lib/fault"
import { Id, Page, sliceOf } from "../../../lib/fields"
import { showJoinedProgram } from "../../../services/commissions/contract"
import { findPrograms } from "../../../services/identity/contract"
import {
  createPartnerLink,
  type Link,
  NewLink,
  showPartnerLinks,
} from "../../../services/tracking/contract"
import { Listed, listOf } from "../../http/list"
import {
  AsPartner,
  OfProgram,
  partnerInQueriedProgram,
  partnerWriting,
} from "../../http/partner-access"
import { One, route } from "../../http/route"
import { LinkView, linkView } from "../../views/link-view"

const NewPartnerLink = Type.Object({
  program_id: Id,
  ...Type.Omit(NewLink, ["partner_id"]).properties,
})

/** The referral links that a partner makes (behaviour 17.10.5). */
export const partnerLinks = [
  route(
    {
      id: "listOwnLinks",
      method: "GET",
      path: "/api/partner/links",
      summary: "List the referral links of a partner in a program",
      access: partnerInQueriedProgram,
      query: [OfProgram, AsPartner, Page],
      answers: { 200: Listed(LinkView), 404: "Program not found." },
    },
    async ({ program, joined: { partner_id }, page }) => {
      const links = await linksOf(program.id, partner_id)
      const { offset, limit } = sliceOf(page)
      const views = links.slice(offset, offset + limit).map(link => linkView(link, program))
      return listOf(views, links.length, page)
    },
  ),
  route(
    {
      id: "createOwnLink",
      method: "POST",
      path: "/api/partner/links",
      summary: "Create a referral link to a page of the program's site",
      access: partnerWriting,
      body: NewPartnerLink,
      answers: {
        201: One(LinkView),
        409: "The code is taken, you have 50 links, you are not approved, or the program is archived.",
      },
    },
    async ({ account_id, body: { program_id, ...link } }) => {
      const { partner_id } = await call(showJoinedProgram, { account_id, program_id }).catch(
        notJoined,
      )
      const { programs } = await call(findPrograms, { program_ids: [program_id] })
      const program = programs[0]!
      if (program.status === "archived") throw new Fault("conflict", "The program is archived.")
      const { website_url } = program
      const request = { program_id, website_url, link: { ...link, partner_id } }
      return { data: linkView(await call(createPartnerLink, request), program) }
    },
  ),
]

/** A program that the body names is no path: 400 (behaviour 1.2). */
function notJoined(error: unknown): never {
  if (asFault(error).kind !== "missing") throw error
  throw new Fault("invalid", "program_id is not a program that you have joined.")
}

/** All links of a partner, which are few, in as many messages as they need. */
async function linksOf(program_id: number, partner_id: number): Promise<Link[]> {
  const links: Link[] = []
  for (let after_link_id: number | null = 0; after_link_id !== null; ) {
    const request = { program_id, partner_ids: [partner_id], after_link_id }
    const reply: ReplyOf<typeof showPartnerLinks> = await call(showPartnerLinks, request)
    links.push(...reply.partners.flatMap(partner => partner.links))
    after_link_id = reply.more_after ?? null
  }
  return links
}
