import { type Static, Type } from "@sinclair/typebox"
import type { Context } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { currentContext } from "../../../lib/request-context"
import { Click, recordClick } from "../../../services/tracking/contract"
import { presentFieldsOf, readBody } from "../../http/body"
import { limitAddress } from "../../http/limit"
import { isTest, namedProgram, recordTest, TestReply, tokenProgram } from "./test-mode"

export const ClickReply = Type.Union([
  Type.Object({
    success: Type.Literal(true),
    click_id: Type.String(),
    partner_code: Type.String(),
    cookie_window_days: Type.Integer(),
  }),
  Type.Object({ success: Type.Literal(false), message: Type.String() }), // an inactive link
  TestReply,
])

/**
 * Records a click (specification 4.2). Nobody is asked for a credential. Of the context it takes
 * only what it names: Elysia would work out the rest for it, cookies and query too.
 */
export async function postClick({
  request,
}: Pick<Context, "request">): Promise<Static<typeof ClickReply>> {
  await limitAddress("clicks", request) // 429
  const body = await readBody(request, "beacon") // 413, 415
  const fields = presentFieldsOf(body) // 400
  for (const name of LOOSE) if (typeof fields[name] !== "string") delete fields[name]
  fields.user_agent ??= request.headers.get("user-agent") ?? undefined
  const click = parse(Click, fields)
  if (isTest(fields)) return recordTestClick(request, click)

  const code = codeOf(click.affiliate_url)
  const { address } = currentContext().actor
  const recorded = await call(recordClick, { code, click, address })
  if (!recorded.is_recorded) return { success: false, message: "Referral link is inactive" }

  const { click_id, partner_code, cookie_window_days } = recorded
  return { success: true, click_id, partner_code, cookie_window_days }
}

/** Malformed they count as absent (contract 1), and are not carried on, whatever their size. */
const LOOSE = ["screen_resolution", "viewport_size", "language", "timezone"]

/** The first aff parameter of the query; one behind the # is none (contract 4). */
function codeOf(affiliate_url: string | undefined): string {
  if (affiliate_url === undefined) throw new Fault("invalid", "affiliate_url is missing.")
  const url = URL.parse(affiliate_url)
  if (!url) throw new Fault("invalid", "affiliate_url is not a URL.")
  if (!/^https?:$/.test(url.protocol)) {
    throw new Fault("invalid", "affiliate_url must begin with http:// or https://.")
  }
  const code = isLiteral(url.search) ? AFF.exec(url.search)?.[1] : url.searchParams.get("aff")
  if (code) return code
  throw new Fault("invalid", "affiliate_url has no aff parameter.")
}

/** A query without escapes means what it says, and its parameters need not be taken apart. */
const isLiteral = (search: string) => !/[%+]/.test(search)
const AFF = /(?:^\?|&)aff(?:=([^&]*))?(?=&|$)/

async function recordTestClick(request: Request, click: Click) {
  const program_id = (await tokenProgram(request)) ?? namedProgram(click)
  const code = URL.parse(click.affiliate_url ?? "")?.searchParams.get("aff") ?? null
  return recordTest({ program_id, code, event: { click } })
}
