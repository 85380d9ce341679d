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
  const policy = await call(showDefaultPolicy, { program_id: program.id })
  const termsShown = terms.text === "" ? null : terms
  return { ...publicFieldsOf(program), policy, terms: termsShown, branding: brandingView(branding) }
}

/** Named one by one: a field that a program gains is not public by itself. */
const publicFieldsOf = (program: Program) => ({
  name: program.name,
  slug: program.slug,
  website_url: program.website_url,
  status: program.status,
  currency: program.currency,
  cookie_window_days: program.cookie_window_days,
  attribution_model: program.attribution_model,
})
