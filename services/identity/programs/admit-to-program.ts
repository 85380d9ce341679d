import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Program, Role } from "../contract"
import { sql } from "../db"
import { findCaller, sessionEnded } from "../sessions/find-caller"
import { sessionCtes } from "../sessions/sessions"
import { authorize, permitProgram } from "./permit-program"
import { programColumns, programNotFound } from "./programs"

type Request = RequestOf<typeof contract.admitToProgram>

export async function admitToProgram({ credential, program_id, ...access }: Request) {
  if (credential.kind === "session" && program_id !== null) {
    return admitSession(credential.token_hash, program_id, access)
  }
  const caller = await findCaller(credential) // 401 comes before 404
  if (program_id === null) throw programNotFound()
  return { caller, program: await permitProgram({ caller, program_id, ...access }) }
}

/** Uses one statement, because nearly every request of the dashboard starts with it. */
async function admitSession(token_hash: string, program_id: number, access: AccessRequest) {
  const [found] = await sql<[Found?]>`
    with ${sessionCtes(token_hash)}
    select
      session_id,
      session.user_id,
      membership.role as member_role,
      membership.status as member_status,
      program.*
    from session
    left join (
      select ${programColumns}
      from programs
      where id = ${program_id} and version > 0
    ) as program on true
    left join memberships as membership
      on (membership.workspace_id, membership.user_id) = (program.workspace_id, session.user_id)
  `
  if (!found) throw sessionEnded()
  const { session_id, user_id, member_role, member_status, ...program } = found
  if (program.id === null) throw programNotFound()

  const caller = { kind: "session" as const, session_id, user_id }
  const membership = member_role && { role: member_role, status: member_status, scopes: null }
  return { caller, program: authorize(program, membership, { caller, ...access }) }
}

type AccessRequest = Pick<Request, "action" | "hides_existence">

/** A session, the program if it exists, and the user's membership if there is one. */
type Found = { session_id: number; user_id: number } & (Program | NoProgram) &
  (
    | { member_role: Role; member_status: "active" | "suspended" }
    | { member_role: null; member_status: null }
  )
type NoProgram = Record<keyof Program, null>
