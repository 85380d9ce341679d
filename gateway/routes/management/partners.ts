import { Type } from "@sinclair/typebox"
import { BULK_TIMEOUT_MS, BulkRows } from "../../../lib/bulk"
import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import { unconfirmed } from "../../../lib/retry"
import {
  bulkUpdatePartners,
  createPartner,
  listPartners,
  NewPartner,
  PartnerChange,
  PartnerQuery,
  PartnerSums,
  PartnersChange,
  showPartner,
  updatePartner,
} from "../../../services/commissions/contract"
import { invitePartner, unbindPartner } from "../../../services/identity/contract"
import {
  Performance,
  PerformanceQuery,
  showPartnerPerformance,
} from "../../../services/reporting/contract"
import { inProgram, program } from "../../http/access"
import { Listed, listOf, wholePage } from "../../http/list"
import { pathId } from "../../http/query"
import { EmptyReply, One, route } from "../../http/route"
import { PartnerView, partnerView, partnerViews } from "../../views/partner-view"
import { freshnessOf, REPORT_TIMEOUT_MS, ReportMeta } from "../../views/report-view"

const LIST_TIMEOUT_MS = 3_000 // commissions may read all partners of the program, and call tracking
const CHANGE_TIMEOUT_MS = 4_000 // commissions calls tracking, and may call it again
const INVITE_TIMEOUT_MS = 3_000 // also to unbind: identity calls commissions, and may call it again

const onePartner = (action: "program:read" | "program:update") =>
  inProgram(action, ({ program_id, params }) =>
    call(showPartner, { program_id, partner_id: pathId(params.partnerId) }),
  )

/** The partners of a program, and the invitations to their accounts (behaviour 3.6.1, 2.13). */
export const partners = [
  route(
    {
      id: "listPartners",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/partners",
      summary: "List the partners of a program",
      access: program("program:read"),
      query: [PartnerQuery, Page],
      answers: { 200: Listed(PartnerView, Type.Partial(PartnerSums).properties) },
    },
    async ({ program, query: { group_id, ...query }, page }) => {
      const filter = { ...query, ...(group_id && { group_id: +group_id }) }
      const { rows, total, sums } = await wholePage(page, slice =>
        call(listPartners, { program_id: program.id, filter, slice }, LIST_TIMEOUT_MS),
      )
      const { data, meta } = listOf(await partnerViews(rows, program), total, page)
      return { data, meta: { ...sums, ...meta } }
    },
  ),
  route(
    {
      id: "showPartner",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId",
      summary: "Show a partner of a program",
      access: onePartner("program:read"),
      answers: { 200: One(PartnerView) },
    },
    async ({ program, found }) => ({ data: await partnerView(found, program) }),
  ),
  route(
    {
      id: "showPartnerPerformance",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId/performance",
      summary: "Show the metrics of each day of one partner, and their trends",
      access: onePartner("program:read"),
      isReport: true,
      query: [PerformanceQuery],
      answers: { 200: Type.Object({ ...Performance.properties, meta: ReportMeta }) },
    },
    async ({ program, found: partner, query }) => {
      const request = { program, partner, query }
      const reply = await call(showPartnerPerformance, request, REPORT_TIMEOUT_MS)
      const { data, metrics, meta } = reply.performance
      return { data, metrics, meta: { ...meta, ...freshnessOf(reply.applied_until) } }
    },
  ),
  route(
    {
      id: "createPartner",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/partners",
      summary: "Create a partner and a first referral link",
      access: program("program:update"),
      changesProgram: true,
      body: NewPartner,
      answers: {
        201: One(PartnerView),
        409: "The program already has a partner with this e-mail address, the code is taken, or the program is archived.",
      },
    },
    async ({ program, body }) => {
      const request = { program_id: program.id, partner: body }
      const partner = await call(createPartner, request, CHANGE_TIMEOUT_MS)
      return { data: await partnerView(partner, program).catch(unconfirmed) }
    },
  ),
  route(
    {
      id: "updatePartner",
      method: "PUT",
      path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId",
      summary: "Change a partner: status, group, name, e-mail address or note",
      access: onePartner("program:update"),
      changesProgram: true,
      body: PartnerChange,
      answers: {
        200: One(PartnerView),
        409: "Another partner of the program has this e-mail address, or the program is archived.",
      },
    },
    async ({ program, found: { partner_id }, body: change }) => {
      const request = { program_id: program.id, partner_id, change }
      const partner = await call(updatePartner, request, CHANGE_TIMEOUT_MS)
      return { data: await partnerView(partner, program).catch(unconfirmed) }
    },
  ),
  route(
    {
      id: "bulkUpdatePartners",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/partners/bulk",
      summary: "Approve, suspend, remove or move many partners, each by itself",
      description:
        "The reply says for each id, in the order of the request, whether it was done. A refused one " +
        "leaves the others done. Sending the same request again is safe.",
      access: program("program:update"),
      changesProgram: true,
      body: PartnersChange,
      answers: { 200: One(BulkRows) },
    },
    async ({ program, body: change }) => {
      const request = { program_id: program.id, change }
      return { data: (await call(bulkUpdatePartners, request, BULK_TIMEOUT_MS)).rows }
    },
  ),
  route(
    {
      id: "invitePartner",
      method: "POST",
      path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId/invite",
      summary: "Invite a partner to create an account. The token is shown only once",
      access: onePartner("program:update"),
      changesProgram: true,
      answers: {
        201: One(invitePartner.reply),
        409: "The partner has been removed or already has an account, or the program is archived.",
      },
    },
    async ({ program, found: { partner_id } }) => ({
      data: await call(invitePartner, { program_id: program.id, partner_id }, INVITE_TIMEOUT_MS),
    }),
  ),
  route(
    {
      id: "unbindPartnerAccount",
      method: "DELETE",
      path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId/account",
      summary: "Unbind the account of a partner, who can then be invited again",
      access: onePartner("program:update"),
      answers: { 200: EmptyReply },
    },
    async ({ program, found: { partner_id } }) => ({
      data: await call(unbindPartner, { program_id: program.id, partner_id }, INVITE_TIMEOUT_MS),
    }),
  ),
]
