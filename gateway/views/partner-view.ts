import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { retryOnSilence } from "../../lib/retry"
import { Partner } from "../../services/commissions/contract"
import { listPartnerAccounts, PartnerAccount, type Program } from "../../services/identity/contract"
import { type Link, showPartnerLinks } from "../../services/tracking/contract"
import { LinkView, linkView } from "./link-view"

/** A partner in replies: tracking owns its clicks and links, identity its account. */
export const PartnerView = Type.Object({
  ...Partner.properties,
  account: PartnerAccount,
  clicks: Type.Integer(),
  links: Type.Array(LinkView),
})
export type PartnerView = Static<typeof PartnerView>

export async function partnerView(partner: Partner, program: Program): Promise<PartnerView> {
  const [view] = await partnerViews([partner], program)
  return view!
}

export async function partnerViews(partners: Partner[], program: Program): Promise<PartnerView[]> {
  const partner_ids = partners.map(({ partner_id }) => partner_id)
  const [tracked, accounts] = await Promise.all([
    trackedPartners(program.id, partner_ids),
    accountsOf(program.id, partner_ids),
  ])
  return partners.map(({ note, created_at, ...partner }) => {
    const { clicks, links } = tracked.get(partner.partner_id)!
    const account = accounts.get(partner.partner_id) ?? "none"
    const views = links.map(link => linkView(link, program))
    return { ...partner, account, clicks, links: views, note, created_at }
  })
}

/** The accounts of those partners that have one or are invited. */
async function accountsOf(program_id: number, partner_ids: number[]) {
  const request = { program_id, partner_ids }
  const { accounts } = await retryOnSilence(() => call(listPartnerAccounts, request))
  return new Map(accounts.map(({ partner_id, account }) => [partner_id, account]))
}

/** Clicks and links by partner_id, in as many messages as they need. */
async function trackedPartners(program_id: number, partner_ids: number[]) {
  const tracked = new Map<number, { clicks: number; links: Link[] }>()
  let after_link_id: number | null = 0
  while (after_link_id !== null) {
    const request = { program_id, partner_ids, after_link_id }
    const reply: ReplyOf<typeof showPartnerLinks> = await retryOnSilence(() =>
      call(showPartnerLinks, request),
    )
    for (const { partner_id, clicks, links } of reply.partners) {
      const known = tracked.get(partner_id)?.links ?? []
      tracked.set(partner_id, { clicks, links: [...known, ...links] })
    }
    after_link_id = reply.more_after ?? null
  }
  return tracked
}
