import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, ListOf, Slice, Time } from "../../../lib/fields"
import { Group } from "../groups/contract"
import { Partner } from "../partners/contract"

/** A program that a partner has joined. `policy`: the version that a sale earns by at this moment. */
export const JoinedProgram = Type.Object({
  program_id: Id,
  partner_id: Id,
  status: Partner.properties.status,
  policy: Group.properties.policy,
  joined_at: Time,
})

export type JoinedProgram = Static<typeof JoinedProgram>

/** The programs of an account, by id, also those that have removed the partner. Faults: none. */
export const listJoinedPrograms = operation("commissions.joined_program.list", {
  request: Type.Object({ account_id: Id, slice: Slice }),
  reply: ListOf(JoinedProgram),
})

/** A program of an account. Faults: missing (the account is not a partner of the program). */
export const showJoinedProgram = operation("commissions.joined_program.show", {
  request: Type.Object({ account_id: Id, program_id: Id }),
  reply: JoinedProgram,
})

/** A program as one of its partners sees it. Faults: missing (no such partner in the program). */
export const showProgramOfPartner = operation("commissions.joined_program.show_of_partner", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: JoinedProgram,
})
