import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Id, Nullable } from "../../../lib/fields"
import { recordTestEvent } from "../../../services/tracking/contract"
import { type Body, presentFieldsOf } from "../../http/body"
import { programOf } from "../../http/caller"

/** Whether test mode is asked for (contract 4). What is neither true nor false the schemas refuse. */
export const isTest = (fields: Record<string, unknown>): boolean =>
  Object(fields.additional_data).test_mode === true

/** The same, where nobody may be told yet what is wrong with the body. */
export function isTestBody(body: Body): boolean {
  try {
    return isTest(presentFieldsOf(body))
  } catch {
    return false
  }
}

/** The token's program. A wrong token is as good as none: test mode needs no real one. */
export async function tokenProgram(request: Request): Promise<number | null> {
  if (!request.headers.has("authorization")) return null
  return programOf(request).catch(fault => {
    if (fault.kind === "unauthorized") return null
    throw fault
  })
}

type Additional = { additional_data?: { program_id?: number | string } }

/** The program that the body names, by its number or its digits. Null: it names none. */
export function namedProgram({ additional_data }: Additional): number | null {
  return additional_data?.program_id === undefined ? null : Number(additional_data.program_id)
}

export async function recordTest(asked: RequestOf<typeof recordTestEvent>) {
  const stored = await call(recordTestEvent, asked)
  return testReply(stored, "The test event is recorded. It counts nowhere.")
}

/** What is answered in test mode. */
export const TestReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ eventId: Nullable(Id), programId: Id, test_mode: Type.Literal(true) }),
})

type Stored = { event_id: number | null; program_id: number }

export const testReply = (
  { event_id, program_id }: Stored,
  message: string,
): Static<typeof TestReply> => ({
  success: true,
  message,
  data: { eventId: event_id, programId: program_id, test_mode: true },
})
