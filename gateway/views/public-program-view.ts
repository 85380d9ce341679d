import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Nullable } from "../../lib/fields"
import { showDefaultPolicy } from "../../services/commissions/contract"
import { findPublicProgram, Program, Terms } from "../../services/identity/contract"
import { pathText } from "../http/query"
import { Branding, brandingView } from "./branding-view"

const SLUG = /^[a-z0-9-]{1,255}$/

const { name, slug, website_url, status, currency, cookie_window_days, attribution_model } =
  Program.properties

/** A published program, as anyone may see it. `policy`: of the Default group. */
export const PublicProgram = Type.Object({
  name,
  slug,
  website_url,
  status,
  currency,
  cookie_window_days,
  attribution_model,
  policy: showDefaultPolicy.reply,
  terms: Nullable(Terms), // null: there are none
  branding: Branding,
})

export type PublicProgram = Static<typeof PublicProgram>

/** Reads the published program of a path. Throws "missing". */
export async function readPublicProgram(text: string): Promise<PublicProgram> {
  const slug = pathText(text, SLUG)
  const { program, terms, branding } = await call(findPublicProgram, { slug })
  const { id, workspace_id, lead_auth, api_token_masked, ...rest } = program
  const { published_at, created_at, updated_at, ...shown } = rest
  const policy = await call(showDefaultPolicy, { program_id: id })
  const termsShown = terms.text === "" ? null : terms
  return { ...shown, policy, terms: termsShown, branding: brandingView(branding) }
}
