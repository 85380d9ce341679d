import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Program, Role } from "../contract"
import { sql } from "../db"
import { findCaller, sessionEnded } from "../sessions/find-caller"
import { usedSession } from "../sessions/sessions"
import { permitProgram, permitted } from "./permit-program"
import { noProgram, shownProgram } from "./programs"

type Asked = RequestOf<typeof contract.admitToProgram>

export async function admitToProgram({ credential, program_id, ...wish }: Asked) {
  if (credential.kind === "session" && program_id !== null) {
    return admitSession(credential.token_hash, program_id, wish)
  }
  const caller = await findCaller(credential) // before anything is said of programs
  if (program_id === null) throw noProgram()
  return { caller, program: await permitProgram({ caller, program_id, ...wish }) }
}

/** In one statement: nearly each call of the dashboard begins so. */
async function admitSession(token_hash: string, program_id: number, wish: Wish) {
  const [found] = await sql<[Found?]>`
    with ${usedSession(token_hash)}
    select
      session_id,
      session.user_id,
      membership.role as member_role,
      membership.status as member_status,
      program.*
    from session
    left join (
      select ${shownProgram}
      from programs
      where id = ${program_id} and version > 0
    ) as program on true
    left join memberships as membership
      on (membership.workspace_id, membership.user_id) = (program.workspace_id, session.user_id)
  `
  if (!found) throw sessionEnded()
  const { session_id, user_id, member_role, member_status, ...program } = found
  if (program.id === null) throw noProgram()

  const caller = { kind: "session" as const, session_id, user_id }
  const standing = member_role && { role: member_role, status: member_status, scopes: null }
  return { caller, program: permitted(program, standing, { caller, ...wish }) }
}

type Wish = Pick<Asked, "action" | "conceals">

/** A session; the program, if there is one; and its user's membership, if there is one. */
type Found = { session_id: number; user_id: number } & (Program | NoProgram) &
  (
    | { member_role: Role; member_status: "active" | "suspended" }
    | { member_role: null; member_status: null }
  )
type NoProgram = Record<keyof Program, null>
