import { notFoundOf, POLICY } from "../../../web/document"
import type { Route } from "../../http/route"
import { bundleOf } from "./bundle"

type Set = { headers: Record<string, unknown> }

/** Says that there is nothing at an address, to a person who opened it in a browser. */
export async function sendNotFoundPage(set: Set, routes: readonly Route[]): Promise<string> {
  const html = notFoundOf(await bundleOf(routes))
  set.headers["content-type"] = "text/html; charset=utf-8"
  set.headers["content-security-policy"] = POLICY
  set.headers.vary = "accept"
  return html
}
