import { anyone } from "../http/access"
import { refuseUnstorableQuery } from "../http/query"
import { route, Text } from "../http/route"
import { sendFile } from "../http/static-file"
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
    input => {
      refuseUnstorableQuery(input.request) // first: a refusal must not carry the headers below
      input.set.headers["cross-origin-resource-policy"] = "cross-origin"
      input.set.headers["access-control-allow-origin"] = "*" // crossorigin, integrity, modules
      return sendFile(input, script, "public, max-age=300")
    },
  ),
]
