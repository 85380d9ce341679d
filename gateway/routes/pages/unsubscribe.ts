import { call } from "../../../lib/bus/bus"
import { findUnsubscription, unsubscribe } from "../../../services/identity/contract"
import { POLICY } from "../../../web/document"
import { renderPublic } from "../../../web/public/render"
import { Unsubscribe, Unsubscribed } from "../../../web/public/unsubscribe"
import { words } from "../../../web/words/en/unsubscribe"
import { anyone } from "../../http/access"
import { limitAddress } from "../../http/limit"
import { refuseUnstorableQuery } from "../../http/query"
import { type Route, route, Text } from "../../http/route"
import type { bundleOf } from "./bundle"

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "cache-control": "no-store",
}

const PATH = "/unsubscribe/:token"
const limit = (request: Request) => limitAddress("public_programs", request)

/**
 * Turns off kinds of mails with the link in a mail (behaviour 15.8.4). Mail programs send POST
 * themselves (RFC 8058), without a cookie and with a body that says nothing new. Programs that only
 * look at links send GET, so GET changes nothing.
 */
export const unsubscribing = (bundle: () => ReturnType<typeof bundleOf>) =>
  [
    route(
      {
        id: "unsubscribePage",
        method: "GET",
        path: PATH,
        summary: "Get the unsubscribe page",
        access: anyone,
        limit,
        texts: ["text/html"],
        answers: { 200: Text, 404: "The link is not valid." },
      },
      async ({ request, params, set }) => {
        refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
        const { token } = params
        const { kinds } = await call(findUnsubscription, { token })
        const html = renderPublic(await bundle(), words.title, Unsubscribe, { kinds, token })
        Object.assign(set.headers, HEADERS)
        return html
      },
    ),
    route(
      {
        id: "unsubscribe",
        method: "POST",
        path: PATH,
        summary: "Unsubscribe with the link of an e-mail",
        access: anyone,
        limit,
        ignoresBody: true,
        texts: ["text/html"],
        answers: { 200: Text, 404: "The link is not valid." },
      },
      async ({ params: { token }, set }) => {
        const { kinds } = await call(unsubscribe, { token })
        const html = renderPublic(await bundle(), words.done, Unsubscribed, { kinds })
        Object.assign(set.headers, HEADERS)
        return html
      },
    ),
  ] as unknown as Route[]
