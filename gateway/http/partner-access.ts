import { Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import { Fault } from "../../lib/fault"
import {
  type JoinedProgram,
  showJoinedProgram,
  showProgramOfPartner,
} from "../../services/commissions/contract"
import { findPrograms, type Program, recordPartnerView } from "../../services/identity/contract"
import { type Access, partner } from "./access"
import { authorizeViewer, partnerOf, sessionOf } from "./caller"
import { idIn, isRead } from "./query"

/** A partner in a program: the caller's own record, or the one that a member looks at. */
export type PartnerInProgram = { program: Program; joined: JoinedProgram }

const PositiveInteger = Type.String({
  pattern: "^[1-9][0-9]{0,14}$",
  description: "a positive integer",
})

/** The query of every route that a member may read as one of the program's partners. */
export const AsPartner = Type.Object({ as_partner: Type.Optional(PositiveInteger) })

/** The query of routes whose path has no program. */
export const OfProgram = Type.Object({ program_id: PositiveInteger })

/**
 * The program of the path, as one of its partners sees it: the caller's own account, or, with
 * ?as_partner=ID, any partner for members who have program:read. Others' programs are missing.
 */
export const partnerInProgram: Access<PartnerInProgram> = {
  ...partner,
  authorize: (request, { programId }) => authorizePartner(request, programId),
}

/** As partnerInProgram, of the program that the query names: 400 without it. */
export const partnerInQueriedProgram: Access<PartnerInProgram> = {
  ...partner,
  async authorize(request) {
    const program_id = parameterOf(request, "program_id")
    if (program_id !== null) return authorizePartner(request, program_id)
    await (parameterOf(request, "as_partner") === null ? partnerOf(request) : sessionOf(request))
    throw new Fault("invalid", "program_id must be a positive integer.")
  },
}

/** A partner who writes. A member who looks on as one cannot: 403. */
export const partnerWriting: typeof partner = {
  ...partner,
  async authorize(request) {
    if (parameterOf(request, "as_partner") !== null) await refuseViewer(request)
    return partnerOf(request)
  },
}

async function refuseViewer(request: Request): Promise<never> {
  await sessionOf(request)
  throw new Fault("forbidden", "You see the program as its partner, and cannot change anything.")
}

/** Whether the query names a program, or a partner to look on as. */
export const namesProgram = (request: Request): boolean =>
  parameterOf(request, "program_id") !== null || parameterOf(request, "as_partner") !== null

async function authorizePartner(request: Request, id: string | undefined) {
  const as_partner = parameterOf(request, "as_partner")
  return as_partner === null ? ownRecord(request, id) : viewedRecord(request, id, as_partner)
}

/** Throws "unauthorized", "forbidden" (no partner account) or "missing". */
async function ownRecord(request: Request, id: string | undefined): Promise<PartnerInProgram> {
  const { account_id } = await partnerOf(request)
  const program_id = idIn(id)
  if (program_id === null) throw new Fault("missing", "Program not found.")
  const joined = await call(showJoinedProgram, { account_id, program_id })
  const { programs } = await call(findPrograms, { program_ids: [program_id] })
  return { program: programs[0]!, joined }
}

/** The audit log records who looks. Throws "unauthorized", "missing", "forbidden" or "invalid". */
async function viewedRecord(
  request: Request,
  id: string | undefined,
  as_partner: string,
): Promise<PartnerInProgram> {
  if (!isRead(request)) await refuseViewer(request)
  const { caller, program } = await authorizeViewer(request, id)
  const partner_id = idIn(as_partner)
  if (partner_id === null) throw new Fault("invalid", "as_partner must be a positive integer.")
  const joined = await call(showProgramOfPartner, { program_id: program.id, partner_id })
  const { workspace_id } = program
  const view = { user_id: caller.user_id, workspace_id, program_id: program.id, partner_id }
  await call(recordPartnerView, view)
  return { program, joined }
}

/** The value of a parameter, as queryOf reads it. Null: there is none. */
const parameterOf = ({ url }: Request, name: string): string | null =>
  new URL(url).searchParams.getAll(name).find(value => value !== "") ?? null
