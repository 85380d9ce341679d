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
import { cookieToken } from "./cookies"
import { isSameOrigin } from "./origin"
import { idIn, isRead, pathId } from "./query"
import { countMalformed, lookUp } from "./unknown-credentials"

const NOT_A_TRACKING_TOKEN =
  "This is not a tracking token: it does not begin with aff_, or was cut off or mistyped."

/** The token of a request, of any kind. Null: none, or one with a wrong checksum. */
export function shownToken({ headers }: Request): string | null {
  const token = headers.has("authorization") ? bearer(headers) : cookieToken(headers)
  return TOKEN_PREFIXES.some(prefix => isToken(prefix, token)) ? token : null
}

/**
 * The program of the request's tracking token (behaviour 2.3.1). `includes_archived`: an archived one
 * too. Throws "unauthorized".
 */
export async function programOf(request: Request, includes_archived = false): Promise<number> {
  const token = bearer(request.headers)
  if (!isToken("aff_", token)) {
    await countMalformed(request)
    if (token !== "") throw new Fault("unauthorized", NOT_A_TRACKING_TOKEN)
    throw unauthorized("Send the program's tracking token (aff_…)")
  }
  const token_hash = hashOf(token)
  const find = () => call(findTrackingProgram, { token_hash, includes_archived })
  return (await lookUp(request, token_hash, find)).program_id
}

/** The caller with a dashboard session or a Management API key. Throws "unauthorized". */
export async function managerOf(request: Request): Promise<Caller> {
  return callerOf(request, await managerCredential(request))
}

/**
 * The caller with a dashboard session, from Authorization or from the cookie. Throws
 * "unauthorized", and "forbidden" for a write with the cookie from another site (behaviour 1.14).
 */
export async function sessionOf(request: Request): Promise<Session> {
  const credential = await sessionCredential(request)
  return (await callerOf(request, credential)) as Session // its credential is one
}

async function callerOf(request: Request, credential: Credential): Promise<Caller> {
  const find = () => call(findCaller, credential)
  const caller = await lookUp(request, credential.token_hash, find)
  if (isForged(request)) {
    throw new Fault("forbidden", "Pages of other sites cannot use your session.")
  }
  return setActorOf(caller)
}

async function managerCredential(request: Request): Promise<Credential> {
  const token = bearer(request.headers)
  if (!isToken("affk_", token)) return sessionCredential(request)
  return { kind: "key", token_hash: hashOf(token) }
}

async function sessionCredential(request: Request): Promise<Credential> {
  const { headers } = request
  const token = headers.has("authorization") ? bearer(headers) : cookieToken(headers)
  if (isToken("affs_", token)) return { kind: "session", token_hash: hashOf(token) }
  await countMalformed(request)
  throw unauthorized("Sign in, and send the session's token (affs_…)")
}

/** Whether this is a write with a cookie that a page of another site may have sent. */
const isForged = (request: Request): boolean =>
  !request.headers.has("authorization") && !isRead(request) && !isSameOrigin(request)

/**
 * The partner account of the person who is signed in. Throws "unauthorized", and "forbidden" if the
 * person has not accepted any program's invitation.
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
  const access = { action, program_id, hides_existence: true }
  return admit(request, await managerCredential(request), access)
}

/**
 * The program of the path, for sessions only. By default as for events, performance and status: the
 * program of another workspace is forbidden, not hidden: 401, 404 if it does not exist, then 403
 * (behaviour 2.3.3).
 */
export async function authorizeSession(
  request: Request,
  action: Action,
  program_id: string | undefined,
  { hides_existence } = { hides_existence: false },
): Promise<Program> {
  const access = { action, program_id, hides_existence }
  return admit(request, await sessionCredential(request), access)
}

/**
 * The member who looks at the program as one of its partners may read it. Sessions only: 401, 404,
 * then 403.
 */
export async function authorizeViewer(
  request: Request,
  program_id: string | undefined,
): Promise<{ caller: Session; program: Program }> {
  const access = { action: "program:read" as const, program_id, hides_existence: true }
  const credential = await sessionCredential(request)
  const { caller, program } = await admitCaller(request, credential, access)
  return { caller: caller as Session, program } // its credential is one
}

type AccessRequest = { action: Action; program_id: string | undefined; hides_existence: boolean }

const admit = async (request: Request, credential: Credential, access: AccessRequest) =>
  (await admitCaller(request, credential, access)).program

async function admitCaller(
  request: Request,
  credential: Credential,
  access: AccessRequest,
): Promise<{ caller: Caller; program: Program }> {
  if (isForged(request)) await callerOf(request, credential) // throws 401 or 403
  const program_id = idIn(access.program_id)
  const find = () => call(admitToProgram, { ...access, credential, program_id })
  const admitted = await lookUp(request, credential.token_hash, find)
  setActorOf(admitted.caller)
  return admitted
}

/** The workspace that X-Workspace-Id names, else the default one. Throws "missing", "forbidden". */
export async function workspaceOf(
  request: Request,
  caller: Caller,
  action: Action,
): Promise<number> {
  const named = request.headers.get("x-workspace-id")
  const workspace_id = named === null ? null : pathId(named)
  return (await call(permitWorkspace, { caller, action, workspace_id, hides_existence: false }))
    .workspace_id
}

/** The programs that a key is limited to: lists leave out the others. Null: no limit. */
export const programIdsOf = (caller: Caller): number[] | null =>
  caller.kind === "key" ? caller.program_ids : null

/** Sets the caller as the actor of this request, for the audit log. */
function setActorOf<Known extends Caller>(caller: Known): Known {
  const id = caller.kind === "key" ? caller.key_id : caller.user_id
  setActor({ kind: caller.kind === "key" ? "key" : "user", id })
  return caller
}

/** The Bearer credential of a request. Empty: there is none. */
export function bearer(headers: Headers): string {
  const [, token = ""] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? []
  return token
}

const unauthorized = (what: string) =>
  new Fault("unauthorized", `${what} as Authorization: Bearer.`)
