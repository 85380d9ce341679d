import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { Lead, recordLead } from "../../../services/tracking/contract"
import { type Access, trackingToken } from "../../http/access"
import { type Body, fieldsOf } from "../../http/body"
import { programOf } from "../../http/caller"
import { limitAddress } from "../../http/limit"
import { route } from "../../http/route"
import { observeCall } from "./observe-call"
import { isTest, recordTest, statedProgram, TestReply, tokenProgram } from "./test-mode"
import { trackingFields } from "./tracking-fields"

const Recorded = { success: Type.Literal(true), message: Type.String() }

const LeadReply = Type.Union([
  Type.Object(Recorded),
  Type.Object({ ...Recorded, provisional: Type.Literal(true) }), // lead_auth: server
  TestReply,
])

/** The token is optional but must be valid. In test mode an invalid one is ignored. */
const tokenIfSent: Access<{ program_id: number | null }> = {
  ...trackingToken,
  security: [{}, ...trackingToken.security],
  authorize: async (request, _params, body) => ({
    program_id: await programIfSent(request, body!),
  }),
}

const fieldsOfLead = trackingFields(Lead)

/** Records a lead (behaviour 4.2), from a backend with its token or a browser without one. */
export const lead = route(
  {
    id: "recordLead",
    method: "POST",
    path: "/api/v1/track/lead",
    aliases: ["/api/tracking/lead"],
    summary: "Record a lead",
    description:
      "Outside test mode `click_id` or `customer_key` is required. A malformed `email`, " +
      "`event_name` or `program_id` counts as absent.",
    access: tokenIfSent,
    limit: request => limitTokenless(request),
    isBeacon: true,
    observe: observeCall("lead"),
    body: Lead,
    read: body => ({ schema: Lead, fields: fieldsOfLead(body) }),
    answers: { 200: LeadReply },
  },
  async ({ program_id, body: lead }): Promise<Static<typeof LeadReply>> => {
    if (isTest(lead)) {
      const event = { lead }
      return recordTest({ program_id: program_id ?? statedProgram(lead), code: null, event })
    }
    if (lead.click_id === undefined && lead.customer_key === undefined) {
      throw new Fault("invalid", "Send a click_id or a customer_key.")
    }

    const { is_provisional } = await call(recordLead, { program_id, lead })
    return is_provisional
      ? {
          success: true,
          provisional: true,
          message: "The lead is provisional until the advertiser's backend confirms it.",
        }
      : { success: true, message: "The lead is recorded." }
  },
)

async function limitTokenless(request: Request) {
  if (!request.headers.has("authorization")) await limitAddress("clicks", request)
}

async function programIfSent(request: Request, body: Body): Promise<number | null> {
  if (!request.headers.has("authorization")) return null
  if (!isTestBody(body)) return programOf(request)

  const program_id = await tokenProgram(request)
  if (program_id === null) await limitAddress("clicks", request)
  return program_id
}

/** Whether a body requests test mode. Ignores an invalid body, which is refused after a 401. */
function isTestBody(body: Body): boolean {
  try {
    return isTest(fieldsOf(body))
  } catch {
    return false
  }
}
