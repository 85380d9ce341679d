import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse, type ReplyOf } from "../../../lib/bus/operation"
import { Page } from "../../../lib/fields"
import { retryOnSilence, unconfirmed } from "../../../lib/retry"
import {
  createPartner,
  listPartners,
  NewPartner,
  Partner,
  PartnerChange,
  showPartner,
  updatePartner,
} from "../../../services/commissions/contract"
import type { Program } from "../../../services/identity/contract"
import { type Link, showPartnerLinks } from "../../../services/tracking/contract"
import { fieldsOf, readBody } from "../../http/body"
import { authorizeInside, authorizeProgram } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { manager, One, reads, writes } from "../../openapi/description"
import { LinkView, linkView } from "./links"

const CHANGE_TIMEOUT_MS = 4_000 // commissions asks tracking, and asks again

const PARTNER_CONFLICT = "The program knows the e-mail address already, or the code is taken."

/** A partner as it is answered. */
export const PartnerView = Type.Object({
  ...Partner.properties,
  clicks: Type.Integer(),
  links: Type.Array(LinkView),
})

/** The partners of a program (contract 3): commissions knows them, tracking their links. */
export const partners = new Elysia()
  .get(
    "/:id/partners",
    async ({ request, params }) => {
      const program = await authorizeProgram(request, "program:read", params.id)
      const page = pageOf(request)
      const { rows, total } = await wholePage(page, slice =>
        call(listPartners, { program_id: program.id, slice }),
      )
      return listOf(await partnerViews(rows, program), total, page)
    },
    reads({
      id: "listPartners",
      summary: "List the partners of a program",
      by: manager("program:read"),
      query: [Page],
      answers: { 200: Listed(PartnerView) },
    }),
  )
  .get(
    "/:id/partners/:partnerId",
    async ({ request, params }) => {
      const { program, found } = await authorizeInside(
        request,
        "program:read",
        params.id,
        program_id => call(showPartner, { program_id, partner_id: pathId(params.partnerId) }),
      )
      return { data: await partnerView(found, program) }
    },
    reads({
      id: "showPartner",
      summary: "Show a partner of a program",
      by: manager("program:read"),
      answers: { 200: One(PartnerView) },
    }),
  )
  .post(
    "/:id/partners",
    async ({ request, params, set }) => {
      const body = await readBody(request)
      const program = await authorizeProgram(request, "program:update", params.id)
      const asked = { program_id: program.id, partner: parse(NewPartner, fieldsOf(body)) }
      const partner = await call(createPartner, asked, CHANGE_TIMEOUT_MS)
      set.status = 201
      return { data: await partnerView(partner, program).catch(unconfirmed) }
    },
    writes({
      id: "createPartner",
      summary: "Make a partner with a first link",
      by: manager("program:update"),
      body: NewPartner,
      answers: { 201: One(PartnerView), 409: PARTNER_CONFLICT },
    }),
  )
  .put(
    "/:id/partners/:partnerId",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { program, found } = await authorizeInside(
        request,
        "program:update",
        params.id,
        program_id => call(showPartner, { program_id, partner_id: pathId(params.partnerId) }),
      )
      const named = { program_id: program.id, partner_id: found.partner_id }
      const change = parse(PartnerChange, fieldsOf(body))
      const partner = await call(updatePartner, { ...named, change }, CHANGE_TIMEOUT_MS)
      return { data: await partnerView(partner, program).catch(unconfirmed) }
    },
    writes({
      id: "updatePartner",
      summary: "Change the status or the group of a partner",
      by: manager("program:update"),
      body: PartnerChange,
      answers: { 200: One(PartnerView) },
    }),
  )

async function partnerView(partner: Partner, program: Program) {
  const [view] = await partnerViews([partner], program)
  return view
}

async function partnerViews(partners: Partner[], program: Program) {
  const partner_ids = partners.map(({ partner_id }) => partner_id)
  const tracked = await trackedPartners(program.id, partner_ids)

  return partners.map(({ created_at, ...partner }) => {
    const { clicks, links } = tracked.get(partner.partner_id)!
    return { ...partner, clicks, links: links.map(link => linkView(link, program)), created_at }
  })
}

/** Clicks and links by partner_id; what one message does not hold is asked for in another. */
async function trackedPartners(program_id: number, partner_ids: number[]) {
  const tracked = new Map<number, { clicks: number; links: Link[] }>()
  let after_link_id: number | null = 0
  while (after_link_id !== null) {
    const asked = { program_id, partner_ids, after_link_id }
    const told: ReplyOf<typeof showPartnerLinks> = await retryOnSilence(() =>
      call(showPartnerLinks, asked),
    )
    for (const { partner_id, clicks, links } of told.partners) {
      const known = tracked.get(partner_id)?.links ?? []
      tracked.set(partner_id, { clicks, links: [...known, ...links] })
    }
    after_link_id = told.more_after ?? null
  }
  return tracked
}
