import { call } from "../../../lib/bus/bus"
import { findLogo } from "../../../services/identity/contract"
import { anyone } from "../../http/access"
import { limitAddress } from "../../http/limit"
import { pathText, refuseUnstorableQuery } from "../../http/query"
import { One, route, Text } from "../../http/route"
import { PublicProgram, readPublicProgram } from "../../views/public-program-view"

const LOGO_HASH = /^[0-9a-f]{32}$/

export const limitPublic = (request: Request) => limitAddress("public_programs", request)

/** What anyone may see of programs: those that are published, and logos (behaviour 17.9). */
export const publicPrograms = [
  route(
    {
      id: "showPublicProgram",
      method: "GET",
      path: "/api/public/programs/:slug",
      summary: "Show a published program",
      access: anyone,
      limit: limitPublic,
      answers: { 200: One(PublicProgram) },
    },
    async ({ params }) => ({ data: await readPublicProgram(params.slug) }),
  ),
  route(
    {
      id: "showLogo",
      method: "GET",
      path: "/api/public/logos/:logo",
      summary: "Get the logo of a program",
      access: anyone,
      limit: limitPublic,
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
