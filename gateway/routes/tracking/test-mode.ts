import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Id, Nullable } from "../../../lib/fields"
import { recordTestEvent } from "../../../services/tracking/contract"
import { programOf } from "../../http/caller"

/** Whether the fields request test mode (behaviour 4.5). The schemas refuse non-booleans. */
export const isTest = (fields: { additional_data?: unknown }): boolean =>
  Object(fields.additional_data).test_mode === true

/** The token's program. Null: no token, or an invalid one, which test mode ignores. */
export async function tokenProgram(request: Request): Promise<number | null> {
  if (!request.headers.has("authorization")) return null
  return programOf(request).catch(fault => {
    if (fault.kind === "unauthorized") return null
    throw fault
  })
}

type Additional = { additional_data?: { program_id?: number | string } }

/** The program that the body names, by number or digits. Null: it names none. */
export function statedProgram({ additional_data }: Additional): number | null {
  return additional_data?.program_id === undefined ? null : Number(additional_data.program_id)
}

export async function recordTest(request: RequestOf<typeof recordTestEvent>) {
  const stored = await call(recordTestEvent, request)
  return testReply(stored, "The test event is recorded but not counted.")
}

/** The reply to every tracking call in test mode. */
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
