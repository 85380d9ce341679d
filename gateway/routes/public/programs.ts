import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Nullable } from "../../../lib/fields"
import { showDefaultPolicy } from "../../../services/commissions/contract"
import { findLogo, findPublicProgram, Program, Terms } from "../../../services/identity/contract"
import { anyone } from "../../http/access"
import { limitAddress } from "../../http/limit"
import { pathText, refuseUnstorableQuery } from "../../http/query"
import { One, route, Text } from "../../http/route"
import { Branding, brandingView } from "../../views/branding-view"

const SLUG = /^[a-z0-9-]{1,255}$/
const LOGO_HASH = /^[0-9a-f]{32}$/

const limit = (request: Request) => limitAddress("public_programs", request)

const { name, slug, website_url, status, currency, cookie_window_days, attribution_model } =
  Program.properties

/** A published program, as anyone may see it. `policy`: of the Default group. */
const PublicProgram = Type.Object({
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

/** What anyone may see of programs: those that are published, and logos (behaviour 17.9). */
export const publicPrograms = [
  route(
    {
      id: "showPublicProgram",
      method: "GET",
      path: "/api/public/programs/:slug",
      summary: "Show a published program",
      access: anyone,
      limit,
      answers: { 200: One(PublicProgram) },
    },
    async ({ params }) => {
      const slug = pathText(params.slug, SLUG)
      const { program, terms, branding } = await call(findPublicProgram, { slug })
      const { id, workspace_id, lead_auth, api_token_masked, ...rest } = program
      const { published_at, created_at, updated_at, ...shown } = rest
      const policy = await call(showDefaultPolicy, { program_id: id })
      const termsShown = terms.text === "" ? null : terms
      return { data: { ...shown, policy, terms: termsShown, branding: brandingView(branding) } }
    },
  ),
  route(
    {
      id: "showLogo",
      method: "GET",
      path: "/api/public/logos/:logo",
      summary: "Get the logo of a program",
      access: anyone,
      limit,
      texts: ["image/webp"],
      answers: { 200: Text },
    },
    async ({ request, params, set }) => {
      refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
      const { webp } = await call(findLogo, { logo_hash: pathText(params.logo, LOGO_HASH) })
      set.headers["content-type"] = "image/webp"
      set.headers["content-security-policy"] = "default-src 'none'; sandbox"
      set.headers["cache-control"] = "public, max-age=31536000, immutable" // its name is its hash
      return Buffer.from(webp, "base64")
    },
  ),
]
