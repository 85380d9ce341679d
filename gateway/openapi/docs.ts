import { Type } from "@sinclair/typebox"
import { type Context, Elysia } from "elysia"
import { readsGzip } from "../http/gzip"
import { refuseUnstorableQuery } from "../http/query"
import { ANYBODY, reads, Text } from "./description"
import { makePage } from "./docs-page"
import { openApiOf, type Route } from "./openapi"

/** The API described, for programs and for people. Both are made once, when first asked for. */
export function docs(routesOf: () => Route[]) {
  let document: string | undefined
  let page: ReturnType<typeof makePage> | undefined

  return new Elysia()
    .get(
      "/openapi.json",
      ({ request, set }) => {
        refuseUnstorableQuery(request)
        document ??= JSON.stringify(openApiOf(routesOf()))
        set.headers["content-type"] = "application/json"
        return document
      },
      reads({
        id: "showApi",
        summary: "This document",
        by: ANYBODY,
        answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
      }),
    )
    .get(
      "/docs",
      async ({ request, headers, set }: Context) => {
        refuseUnstorableQuery(request) // before the headers say what is not coming
        page ??= makePage()
        const { html, gzipped, policy } = await page
        set.headers["content-type"] = "text/html; charset=utf-8"
        set.headers["content-security-policy"] = policy
        set.headers.vary = "accept-encoding"
        if (!readsGzip(headers["accept-encoding"])) return html
        set.headers["content-encoding"] = "gzip"
        return gzipped
      },
      reads({
        id: "showDocs",
        summary: "This document as a page to read and to try",
        by: ANYBODY,
        texts: ["text/html"],
        answers: { 200: Text },
      }),
    )
}
