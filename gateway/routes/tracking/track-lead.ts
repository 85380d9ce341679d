import { type Static, Type } from "@sinclair/typebox"
import type { Context } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { Lead, recordLead } from "../../../services/tracking/contract"
import { type Body, presentFieldsOf, readBody } from "../../http/body"
import { programOf } from "../../http/caller"
import { limitAddress } from "../../http/limit"
import { isTest, isTestBody, namedProgram, recordTest, TestReply, tokenProgram } from "./test-mode"

const Recorded = { success: Type.Literal(true), message: Type.String() }

export const LeadReply = Type.Union([
  Type.Object(Recorded),
  Type.Object({ ...Recorded, provisional: Type.Literal(true) }), // of a browser; nothing is bound
  TestReply,
])

/** Records a lead (specification 4.3), of a backend with its token or of a browser without. */
export async function postLead({
  request,
}: Pick<Context, "request">): Promise<Static<typeof LeadReply>> {
  if (!request.headers.has("authorization")) await limitAddress("clicks", request) // 429
  const body = await readBody(request, "beacon") // 413, 415
  const program_id = await programIfSent(request, body) // 401
  const fields = presentFieldsOf(body) // 400
  const lead = parse(Lead, fields)
  if (isTest(fields)) {
    const asked = { program_id: program_id ?? namedProgram(lead), code: null, event: { lead } }
    return recordTest(asked)
  }
  if (lead.click_id === undefined && lead.customer_key === undefined) {
    throw new Fault("invalid", "Send a click_id or a customer_key.")
  }

  const { is_provisional } = await call(recordLead, { program_id, lead })
  return is_provisional
    ? { success: true, provisional: true, message: "The lead awaits the advertiser's backend." }
    : { success: true, message: "The lead is recorded." }
}

/** A token that is sent must be right, except in test mode, where a wrong one is as good as none. */
async function programIfSent(request: Request, body: Body): Promise<number | null> {
  if (!request.headers.has("authorization")) return null
  if (!isTestBody(body)) return programOf(request)

  const program_id = await tokenProgram(request)
  if (program_id === null) await limitAddress("clicks", request)
  return program_id
}
