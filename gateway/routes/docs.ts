import { Type } from "@sinclair/typebox"
import { anyone } from "../http/access"
import { readsGzip } from "../http/gzip"
import { refuseUnstorableQuery } from "../http/query"
import { type Route, route, Text } from "../http/route"
import { makePage } from "../openapi/docs-page"
import { openApiOf } from "../openapi/openapi"

/** The API description as JSON and as a page, each built at the first request (behaviour 9.6). */
export function docs(routesOf: () => readonly Route[]) {
  let document: string | undefined
  let page: ReturnType<typeof makePage> | undefined

  return [
    route(
      {
        id: "showApi",
        method: "GET",
        path: "/openapi.json",
        summary: "Get this document",
        access: anyone,
        answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
      },
      ({ request, set }) => {
        refuseUnstorableQuery(request)
        document ??= JSON.stringify(openApiOf(routesOf()))
        set.headers["content-type"] = "application/json"
        return document
      },
    ),
    route(
      {
        id: "showDocs",
        method: "GET",
        path: "/docs",
        summary: "Get the API reference as a page",
        access: anyone,
        texts: ["text/html"],
        answers: { 200: Text },
      },
      async ({ request, set }) => {
        refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
        page ??= makePage()
        const { html, gzipped, policy } = await page
        set.headers["content-type"] = "text/html; charset=utf-8"
        set.headers["content-security-policy"] = policy
        set.headers.vary = "accept-encoding"
        if (!readsGzip(request.headers.get("accept-encoding"))) return html
        set.headers["content-encoding"] = "gzip"
        return gzipped
      },
    ),
  ]
}
