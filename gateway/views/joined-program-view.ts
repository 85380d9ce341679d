import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Id, Nullable, Time } from "../../lib/fields"
import { JoinedProgram } from "../../services/commissions/contract"
import {
  PartnerTerms,
  Program,
  showBranding,
  showPartnerTerms,
} from "../../services/identity/contract"
import type { PartnerInProgram } from "../http/partner-access"
import { Branding, brandingView } from "./branding-view"

const { name, slug, website_url, currency, cookie_window_days } = Program.properties
const { partner_id, status, policy, joined_at } = JoinedProgram.properties

/**
 * A program as its partner sees it in a list. `status` is the partner's, `policy` the version that a sale
 * earns by at this moment. `next_payout` is null today.
 */
export const JoinedProgramView = Type.Object({
  id: Id,
  name,
  slug,
  website_url,
  status,
  program_status: Program.properties.status,
  partner_id,
  policy,
  cookie_window_days,
  currency,
  joined_at,
  next_payout: Nullable(
    Type.Object({ at: Time, currency: Type.String(), estimate_cents: Type.Integer() }),
  ),
})

export function joinedProgramView({
  program: { id, name, slug, website_url, currency, cookie_window_days, ...program },
  joined: { partner_id, status, policy, joined_at },
}: PartnerInProgram): Static<typeof JoinedProgramView> {
  return {
    ...{ id, name, slug, website_url, status, program_status: program.status, partner_id, policy },
    ...{ cookie_window_days, currency, joined_at, next_payout: null },
  }
}

/** A program as its partner sees it alone. `terms` null: there are none. */
export const JoinedProgramDetails = Type.Object({
  ...JoinedProgramView.properties,
  terms: Nullable(PartnerTerms),
  branding: Branding,
})

export async function joinedProgramDetails(
  shown: PartnerInProgram,
): Promise<Static<typeof JoinedProgramDetails>> {
  const { program_id, partner_id } = shown.joined
  const [terms, branding] = await Promise.all([
    call(showPartnerTerms, { program_id, partner_id }),
    call(showBranding, { program_id }),
  ])
  return {
    ...joinedProgramView(shown),
    terms: terms.text === "" ? null : terms,
    branding: brandingView(branding),
  }
}
