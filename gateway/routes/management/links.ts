import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Nullable, Page } from "../../../lib/fields"
import { retryOnSilence } from "../../../lib/retry"
import { namePartners } from "../../../services/commissions/contract"
import {
  createLink,
  LinkChange,
  LinkQuery,
  listLinks,
  NewLink,
  showLink,
  updateLink,
} from "../../../services/tracking/contract"
import { inProgram, program } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"
import { LinkView, linkView } from "../../views/link-view"

/** A link in the list. `partner_name` null: the partner is still being created. */
const ListedLink = Type.Object({
  ...LinkView.properties,
  partner_name: Nullable(Type.String()),
})

/** The referral links of a program's partners (behaviour 3.7.1). */
export const links = [
  route(
    {
      id: "listLinks",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/referral-links",
      summary: "List the referral links of a program",
      access: program("program:read"),
      query: [LinkQuery, Page],
      answers: { 200: Listed(ListedLink) },
    },
    async ({ program, query: { partner_id, ...query }, page }) => {
      const filter = { ...query, ...(partner_id && { partner_id: +partner_id }) }
      const { rows, total } = await wholePage(page, slice =>
        call(listLinks, { program_id: program.id, filter, slice }),
      )
      const partner_ids = rows.map(({ partner_id }) => partner_id)
      const { partners } = await retryOnSilence(() =>
        call(namePartners, { program_id: program.id, partner_ids }),
      )
      const names = new Map(partners.map(({ partner_id, name }) => [partner_id, name]))
      const views = rows.map(link => ({
        ...linkView(link, program),
        partner_name: names.get(link.partner_id) ?? null,
      }))
      return listOf(views, total, page)
    },
  ),
  route(
    {
      id: "createLink",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/referral-links",
      summary: "Create a referral link",
      access: program("program:update"),
      changesProgram: true,
      body: NewLink,
      answers: { 201: One(LinkView), 409: "The code is taken, or the program is archived." },
    },
    async ({ program, body: link }) => ({
      data: linkView(await call(createLink, { program_id: program.id, link }), program),
    }),
  ),
  route(
    {
      id: "updateLink",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id/referral-links/:linkId",
      summary: "Change a referral link",
      access: inProgram("program:update", ({ program_id, params }) =>
        call(showLink, { program_id, link_id: pathId(params.linkId) }),
      ),
      changesProgram: true,
      body: LinkChange,
      answers: { 200: One(LinkView) },
    },
    async ({ program, found, body: change }) => {
      const link = { program_id: program.id, link_id: found.id }
      return { data: linkView(await call(updateLink, { ...link, change }), program) }
    },
  ),
]
