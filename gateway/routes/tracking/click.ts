import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { currentContext } from "../../../lib/request-context"
import { Click, recordClick } from "../../../services/tracking/contract"
import { anyone } from "../../http/access"
import type { Body } from "../../http/body"
import { limitAddress } from "../../http/limit"
import { route } from "../../http/route"
import { observeCall } from "./observe-call"
import { isTest, recordTest, statedProgram, TestReply, tokenProgram } from "./test-mode"
import { trackingFields } from "./tracking-fields"

const ClickReply = Type.Union([
  Type.Object({
    success: Type.Literal(true),
    click_id: Type.String(),
    partner_code: Type.String(),
    cookie_window_days: Type.Integer(),
  }),
  Type.Object({ success: Type.Literal(false), message: Type.String() }), // an inactive link
  TestReply,
])

const fieldsOfClick = trackingFields(Click)

/** Records a click (behaviour 4.1). It needs no credential. */
export const click = route(
  {
    id: "recordClick",
    method: "POST",
    path: "/api/v1/track/click",
    aliases: ["/api/tracking/click"],
    summary: "Record a click",
    description:
      "`affiliate_url` is required outside test mode; its `aff` parameter names the link. " +
      "Optional fields count as absent if they are malformed, and are cut if they are too long. " +
      "A token is read in test mode only, where it names the program.",
    access: anyone,
    limit: request => limitAddress("clicks", request),
    isBeacon: true,
    observe: observeCall("click"),
    body: Click,
    read: readClick,
    answers: { 200: ClickReply },
  },
  async ({ request, body: click }): Promise<Static<typeof ClickReply>> => {
    if (isTest(click)) return recordTestClick(request, click)

    const code = codeOf(click.affiliate_url)
    const { address } = currentContext().actor
    const recorded = await call(recordClick, { code, click, address })
    if (!recorded.is_recorded) return { success: false, message: "Referral link is inactive" }

    const { click_id, partner_code, cookie_window_days } = recorded
    return { success: true, click_id, partner_code, cookie_window_days }
  },
)

function readClick(body: Body, request: Request) {
  const fields = fieldsOfClick(body)
  fields.user_agent ??= request.headers.get("user-agent") ?? undefined
  return { schema: Click, fields }
}

/** The first aff parameter of the query. One after the # does not count (behaviour 4.1.1). */
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

/** Whether a query has no escapes, so that its parameters need no decoding. */
const isLiteral = (search: string) => !/[%+]/.test(search)
const AFF = /(?:^\?|&)aff(?:=([^&]*))?(?=&|$)/

async function recordTestClick(request: Request, click: Click) {
  const program_id = (await tokenProgram(request)) ?? statedProgram(click)
  const code = URL.parse(click.affiliate_url ?? "")?.searchParams.get("aff") ?? null
  return recordTest({ program_id, code, event: { click } })
}
