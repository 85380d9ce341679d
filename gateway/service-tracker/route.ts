import { type Context, Elysia } from "elysia"
import { readsGzip } from "../http/gzip"
import { refuseUnstorableQuery } from "../http/query"
import { ANYBODY, reads, Text } from "../openapi/description"
import { build } from "./build"

const script = await build()

/** The browser script, at both of its addresses (contract 6). */
export const serviceTracker = new Elysia({ name: "service-tracker" })
  .get("/service-tracker.js", serve, describe())
  .get("/js/service-tracker.js", serve, describe())

function describe() {
  return reads({
    id: "showScript",
    summary: "The browser script",
    by: ANYBODY,
    texts: ["text/javascript"],
    answers: { 200: Text, 304: "The browser has it already (If-None-Match)." },
  })
}

function serve({ request, headers, set }: Context) {
  refuseUnstorableQuery(request) // before the headers say what is not coming
  set.headers["cache-control"] = "public, max-age=300"
  set.headers["content-type"] = "text/javascript; charset=utf-8"
  set.headers["cross-origin-resource-policy"] = "cross-origin"
  set.headers["x-content-type-options"] = "nosniff"
  set.headers.vary = "accept-encoding"
  set.headers.etag = script.etag

  if (isKnown(headers["if-none-match"])) {
    set.status = 304
    return
  }
  if (!readsGzip(headers["accept-encoding"])) return script.text
  set.headers["content-encoding"] = "gzip"
  return script.gzipped
}

/** Whether the browser's copy is the current one, whatever a proxy made of the tag's weakness. */
function isKnown(tags = "") {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "")
  return tags.split(",").some(tag => tag.trim() === "*" || opaque(tag) === opaque(script.etag))
}
