import { asFault } from "../../../lib/fault"
import { amountText, exponentOf } from "../../../lib/money"
import { POLICY } from "../../../web/document"
import { Join, type JoinView, NoProgram } from "../../../web/public/join"
import { renderPublic } from "../../../web/public/render"
import { words } from "../../../web/words/en/join"
import { words as rates } from "../../../web/words/en/rate"
import { anyone } from "../../http/access"
import { refuseUnstorableQuery } from "../../http/query"
import { refuseAsPage } from "../../http/refusal-page"
import { type Route, route, Text } from "../../http/route"
import { type PublicProgram, readPublicProgram } from "../../views/public-program-view"
import { limitPublic } from "../public/programs"
import type { bundleOf } from "./bundle"

const EXAMPLE_MAJOR_UNITS = 100
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "cache-control": "no-store",
}

/** The public page of a program. It works without JavaScript (behaviour 17.13). */
export const join = (bundle: () => ReturnType<typeof bundleOf>) =>
  route(
    {
      id: "joinPage",
      method: "GET",
      path: "/join/:slug",
      summary: "Get the public page of a published program",
      access: anyone,
      limit: limitPublic,
      texts: ["text/html"],
      answers: { 200: Text },
    },
    async ({ request, params, set }) => {
      refuseUnstorableQuery(request) // first: a refusal must not carry the headers below
      const program = await readPublicProgram(params.slug).catch(async error => {
        const fault = asFault(error)
        if (fault.kind !== "missing" || !wantsPage(request)) throw error
        const html = renderPublic(await bundle(), words.notFound, NoProgram, {})
        throw refuseAsPage(fault, { html, headers: HEADERS })
      })
      const view = { program: viewOf(program) }
      const html = renderPublic(await bundle(), program.name, Join, view)
      Object.assign(set.headers, HEADERS)
      return html
    },
  ) as unknown as Route

const wantsPage = ({ headers }: Request) => headers.get("accept")?.includes("text/html") ?? false

function viewOf({ policy, currency, terms, ...program }: PublicProgram): JoinView {
  const { name, website_url, branding, cookie_window_days: window_days } = program
  const { hold_days, auto_approve } = policy
  const exampleCents = EXAMPLE_MAJOR_UNITS * 10 ** exponentOf(currency)
  const example =
    policy.kind === "percent"
      ? {
          sale: amountText(exampleCents, currency),
          commission: amountText(Math.round((exampleCents * policy.rate_bps) / 10_000), currency),
        }
      : null
  return {
    ...{ name, website_url, branding, window_days, hold_days, auto_approve, example },
    isPaused: program.status === "paused",
    rate:
      policy.kind === "percent"
        ? rates.percent(`${policy.rate_bps / 100} %`)
        : amountText(policy.amount_cents, currency),
    hasProductRates: policy.products.length > 0,
    duration_months: policy.duration_months,
    terms: terms && { version: terms.version, text: terms.text },
  }
}
