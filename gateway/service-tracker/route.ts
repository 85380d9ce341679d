import { anyone } from "../http/access"
import { isCurrent } from "../http/etag"
import { readsGzip } from "../http/gzip"
import { refuseUnstorableQuery } from "../http/query"
import { type Declaration, type Input, route, Text } from "../http/route"
import { build } from "./build"

const script = await build()

/** The browser script at both of its paths (behaviour 8.1). */
export const serviceTracker = [
  route(
    {
      id: "showScript",
      method: "GET",
      path: "/service-tracker.js",
      aliases: ["/js/service-tracker.js"],
      summary: "Get the browser script",
      access: anyone,
      texts: ["text/javascript"],
      answers: { 200: Text, 304: "The browser's copy is current (If-None-Match)." },
    },
    serve,
  ),
]

function serve({ request, set }: Pick<Input<Declaration>, "request" | "set">) {
  const { headers } = request
  refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
  set.headers["cache-control"] = "public, max-age=300"
  set.headers["content-type"] = "text/javascript; charset=utf-8"
  set.headers["cross-origin-resource-policy"] = "cross-origin"
  set.headers["access-control-allow-origin"] = "*" // crossorigin, integrity, modules
  set.headers["x-content-type-options"] = "nosniff"
  set.headers.vary = "accept-encoding"
  set.headers.etag = script.etag

  if (isCurrent(request, script.etag)) {
    set.status = 304
    return
  }
  if (!readsGzip(headers.get("accept-encoding"))) return script.text
  set.headers["content-encoding"] = "gzip"
  return script.gzipped
}
