import { Type } from "@sinclair/typebox"
import { listCurrencies } from "../../lib/money"
import { anyone } from "../http/access"
import { isCurrent } from "../http/etag"
import { refuseUnstorableQuery } from "../http/query"
import { route } from "../http/route"

const Currency = Type.Object({ code: Type.String(), exponent: Type.Integer(), name: Type.String() })

let listed: ReturnType<typeof list> | undefined // made at the first request: it takes a while

/** The currencies and their minor units (behaviour 17.1). */
export const currencies = [
  route(
    {
      id: "listCurrencies",
      method: "GET",
      path: "/api/currencies",
      summary: "List the currencies and how many decimals each has",
      description:
        "`exponent` is the number of decimals: an amount of 4999 cents in USD (exponent 2) is 49.99. " +
        "Browsers disagree for some currencies, such as HUF and IDR. The list is not paged.",
      access: anyone,
      answers: {
        200: Type.Object({ data: Type.Array(Currency) }),
        304: "The caller's copy is current (If-None-Match).",
      },
    },
    ({ request, set }) => {
      refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
      listed ??= list()
      set.headers["cache-control"] = "public, max-age=3600"
      set.headers.etag = listed.etag
      set.headers.vary = "accept-encoding"
      if (!isCurrent(request, listed.etag)) return listed.reply
      set.status = 304
      return
    },
  ),
]

function list() {
  const reply = { data: listCurrencies() }
  const hash = Bun.SHA256.hash(JSON.stringify(reply), "hex")
  return { reply, etag: `W/"${hash.slice(0, 32)}"` }
}
