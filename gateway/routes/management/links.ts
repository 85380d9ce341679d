import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Nullable, Page } from "../../../lib/fields"
import type { Program } from "../../../services/identity/contract"
import {
  createLink,
  Link,
  LinkChange,
  listLinks,
  NewLink,
  showLink,
  updateLink,
} from "../../../services/tracking/contract"
import { fieldsOf, readBody } from "../../http/body"
import { authorizeInside, authorizeProgram } from "../../http/caller"
import { Listed, listOf, wholePage } from "../../http/list"
import { pageOf, pathId } from "../../http/query"
import { manager, One, reads, writes } from "../../openapi/description"

/** A link as it is answered. `url` is what partners share; null where it could lead nowhere. */
export const LinkView = Type.Object({ ...Link.properties, url: Nullable(Type.String()) })

/** The referral links of a program's partners (contract 3). */
export const links = new Elysia()
  .get(
    "/:id/referral-links",
    async ({ request, params }) => {
      const program = await authorizeProgram(request, "program:read", params.id)
      const page = pageOf(request)
      const { rows, total } = await wholePage(page, slice =>
        call(listLinks, { program_id: program.id, slice }),
      )
      return listOf(
        rows.map(link => linkView(link, program)),
        total,
        page,
      )
    },
    reads({
      id: "listLinks",
      summary: "List the referral links of a program",
      by: manager("program:read"),
      query: [Page],
      answers: { 200: Listed(LinkView) },
    }),
  )
  .post(
    "/:id/referral-links",
    async ({ request, params, set }) => {
      const body = await readBody(request)
      const program = await authorizeProgram(request, "program:update", params.id)
      const link = parse(NewLink, fieldsOf(body))
      const created = await call(createLink, { program_id: program.id, link })
      set.status = 201
      return { data: linkView(created, program) }
    },
    writes({
      id: "createLink",
      summary: "Make a referral link",
      by: manager("program:update"),
      body: NewLink,
      answers: { 201: One(LinkView), 409: "The code is taken." },
    }),
  )
  .put(
    "/:id/referral-links/:linkId",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { program, found } = await authorizeInside(
        request,
        "program:update",
        params.id,
        program_id => call(showLink, { program_id, link_id: pathId(params.linkId) }),
      )
      const named = { program_id: program.id, link_id: found.id }
      const change = parse(LinkChange, fieldsOf(body))
      return { data: linkView(await call(updateLink, { ...named, change }), program) }
    },
    writes({
      id: "updateLink",
      summary: "Change a referral link",
      by: manager("program:update"),
      body: LinkChange,
      answers: { 200: One(LinkView) },
    }),
  )

export function linkView(link: Link, program: Program): Static<typeof LinkView> {
  const { id, code, status, destination_url, ...rest } = link
  const url = withCode(destination_url ?? program.website_url, code)
  return { id, code, status, destination_url, url, ...rest }
}

/** The rest of the query stays as it was written: a shop may have signed it. */
function withCode(address: string | null, code: string): string | null {
  const url = URL.parse(address ?? "")
  if (!url) return null
  if (url.searchParams.has("aff")) url.searchParams.delete("aff")
  url.search += `${url.search ? "&" : "?"}aff=${code}`
  return url.href
}
