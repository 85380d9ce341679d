import { call } from "../../lib/bus/bus"
import { Fault } from "../../lib/fault"
import { setActor } from "../../lib/request-context"
import { hashOf, isToken, TOKEN_PREFIXES } from "../../lib/token"
import {
  type Action,
  admitToProgram,
  type Caller,
  type Credential,
  findCaller,
  findTrackingProgram,
  type Program,
  permitPartner,
  permitWorkspace,
  type Session,
} from "../../services/identity/contract"
import { isSameOrigin } from "./origin"
import { idIn, isRead, pathId } from "./query"
import { cookieToken } from "./session-cookie"

/** The token of a request, of any kind. Null: none, or one with a wrong checksum. */
export function shownToken({ headers }: Request): string | null {
  const token = headers.has("authorization") ? bearer(headers) : cookieToken(headers)
  return TOKEN_PREFIXES.some(prefix => isToken(prefix, token)) ? token : null
}

/** The program whose tracking token this is (specification 5.1 to 5.3). Throws "unauthorized". */
export async function programOf({ headers }: Request): Promise<number> {
  const token = bearer(headers)
  if (!isToken("aff_", token)) throw unauthorized("Send the program's tracking token (aff_…)")
  return (await call(findTrackingProgram, { token_hash: hashOf(token) })).program_id
}

/** The caller with a dashboard session or a Management API key. Throws "unauthorized". */
export async function managerOf(request: Request): Promise<Caller> {
  return callerOf(request, managerCredential(request))
}

/**
 * A dashboard session, from Authorization or from the cookie. Throws "unauthorized", and
 * "forbidden" where another site's page makes a browser write with its cookie.
 */
export async function sessionOf(request: Request): Promise<Session> {
  return (await callerOf(request, sessionCredential(request))) as Session // its credential is one
}

async function callerOf(request: Request, credential: Credential): Promise<Caller> {
  const caller = await call(findCaller, credential)
  if (isForged(request)) {
    throw new Fault("forbidden", "Another site may not act with your session.")
  }
  return setActorOf(caller)
}

function managerCredential(request: Request): Credential {
  const token = bearer(request.headers)
  if (!isToken("affk_", token)) return sessionCredential(request)
  return { kind: "key", token_hash: hashOf(token) }
}

function sessionCredential({ headers }: Request): Credential {
  const token = headers.has("authorization") ? bearer(headers) : cookieToken(headers)
  if (isToken("affs_", token)) return { kind: "session", token_hash: hashOf(token) }
  throw unauthorized("Sign in, and send the session's token (affs_…)")
}

/** Whether this is a write with a cookie that a page of another site may have sent. */
const isForged = (request: Request): boolean =>
  !request.headers.has("authorization") && !isRead(request) && !isSameOrigin(request)

/**
 * The partner account of the person who is signed in, of any programs. Throws "unauthorized", and
 * "forbidden" where they have accepted no program's invitation.
 */
export async function partnerOf(request: Request): Promise<{ account_id: number }> {
  const { user_id } = await sessionOf(request)
  return call(permitPartner, { user_id })
}

/** The program of the path, if the caller may perform the action on it: 401, 404, then 403. */
export async function authorizeProgram(
  request: Request,
  action: Action,
  program_id: string | undefined,
): Promise<Program> {
  return admitted(request, managerCredential(request), { action, program_id, conceals: true })
}

/**
 * The program of the path for events, performance and status. Sessions only; the program of another
 * workspace is forbidden, not hidden (contract 2): 401, 404 where it does not exist, then 403.
 */
export async function authorizeSession(
  request: Request,
  action: Action,
  program_id: string | undefined,
): Promise<Program> {
  return admitted(request, sessionCredential(request), { action, program_id, conceals: false })
}

type AccessRequest = { action: Action; program_id: string | undefined; conceals: boolean }

async function admitted(
  request: Request,
  credential: Credential,
  wish: AccessRequest,
): Promise<Program> {
  if (isForged(request)) await callerOf(request, credential) // 401, else 403: this is the end
  const program_id = idIn(wish.program_id)
  const { caller, program } = await call(admitToProgram, { ...wish, credential, program_id })
  setActorOf(caller)
  return program
}

/** The workspace that X-Workspace-Id names, else the default one. Throws "missing", "forbidden". */
export async function workspaceOf(
  request: Request,
  caller: Caller,
  action: Action,
): Promise<number> {
  const named = request.headers.get("x-workspace-id")
  const workspace_id = named === null ? null : pathId(named)
  return (await call(permitWorkspace, { caller, action, workspace_id, conceals: false }))
    .workspace_id
}

/** The programs that a key is limited to: lists leave out the others. Null: no limit. */
export const programIdsOf = (caller: Caller): number[] | null =>
  caller.kind === "key" ? caller.program_ids : null

/** Records the caller as the actor of this request: the audit log names them. */
function setActorOf<Known extends Caller>(caller: Known): Known {
  const id = caller.kind === "key" ? caller.key_id : caller.user_id
  setActor({ kind: caller.kind === "key" ? "key" : "user", id })
  return caller
}

function bearer(headers: Headers): string {
  const [, token = ""] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? []
  return token
}

const unauthorized = (what: string) =>
  new Fault("unauthorized", `${what} as Authorization: Bearer.`)
