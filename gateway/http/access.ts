import { call } from "../../lib/bus/bus"
import { asFault, Fault } from "../../lib/fault"
import {
  type Action,
  type Caller,
  type Program,
  permitWorkspace,
  SCOPE_OF,
  type Scope,
  type Session,
} from "../../services/identity/contract"
import type { Body } from "./body"
import {
  authorizeProgram,
  authorizeSession,
  managerOf,
  partnerOf,
  programOf,
  sessionOf,
  workspaceOf,
} from "./caller"
import { pathId } from "./query"

/** The values of the `:names` in a path. */
export type Params = Record<string, string>

/**
 * Who may call a route: the security schemes for /openapi.json, the statuses of a refusal, and the
 * check itself. `authorize` returns what the handler gets to know of the caller and the path. It
 * throws "unauthorized", "forbidden" or "missing" in the order of behaviour 1.2.
 */
export type Access<Granted = unknown> = {
  security: Record<string, string[]>[]
  refused: number[]
  choosesWorkspace?: true // by X-Workspace-Id
  authorize(request: Request, params: Params, body: Body | null): Promise<Granted>
}

const SESSION: Access["security"] = [{ session: [] }, { sessionCookie: [] }]

/** A session, or a key that has the scope. */
export const memberOrKey = (scope: Scope) => ({
  security: [...SESSION, { managementKey: [scope] }],
  refused: [401, 403],
})

/** Members with a session. */
const MEMBER = { security: SESSION, refused: [401, 403] }

const callersOf = (action: Action) => {
  const scope = SCOPE_OF[action]
  return scope === null ? MEMBER : memberOrKey(scope)
}

export const anyone: Access<object> = {
  security: [],
  refused: [],
  authorize: async () => ({}),
}

/** The tracking token of a program. */
export const trackingToken: Access<{ program_id: number }> = {
  security: [{ trackingToken: [] }],
  refused: [401],
  authorize: async request => ({ program_id: await programOf(request) }),
}

/** The tracking token of a program, even of an archived one, whose sales can be refunded. */
export const refundToken: typeof trackingToken = {
  ...trackingToken,
  authorize: async request => ({ program_id: await programOf(request, true) }),
}

/** A person who is signed in. */
export const session: Access<{ caller: Session }> = {
  security: SESSION,
  refused: [401],
  authorize: async request => ({ caller: await sessionOf(request) }),
}

/** A person who is signed in and has accepted a program's invitation as a partner. */
export const partner: Access<{ account_id: number }> = { ...MEMBER, authorize: partnerOf }

/** The workspace that X-Workspace-Id names, or the caller's default. `caller` may be a key. */
export const workspace = (action: Action): Access<{ caller: Caller; workspace_id: number }> => ({
  ...callersOf(action),
  choosesWorkspace: true,
  async authorize(request) {
    const caller = await managerOf(request)
    return { caller, workspace_id: await workspaceOf(request, caller, action) }
  },
})

/** The workspace that X-Workspace-Id names, or the caller's default. Sessions only. */
export const workspaceBySession = (
  action: Action,
): Access<{ caller: Session; workspace_id: number }> => ({
  ...MEMBER,
  choosesWorkspace: true,
  async authorize(request) {
    const caller = await sessionOf(request)
    return { caller, workspace_id: await workspaceOf(request, caller, action) }
  },
})

/** The workspace of the path. Sessions only. For people who are not members it is missing. */
export const workspaceOfPath = (
  action: Action,
): Access<{ caller: Session; workspace_id: number }> => ({
  ...MEMBER,
  async authorize(request, params) {
    const caller = await sessionOf(request)
    const workspace = { workspace_id: pathId(params.id), hides_existence: true }
    const { workspace_id } = await call(permitWorkspace, { caller, action, ...workspace })
    return { caller, workspace_id }
  },
})

/** The program of the path. For callers from other workspaces it is missing (behaviour 2.10). */
export const program = (action: Action): Access<{ program: Program }> => ({
  ...callersOf(action),
  authorize: async (request, params) => ({
    program: await authorizeProgram(request, action, params.id),
  }),
})

/** The program of the path, for its readers, and for keys that manage webhooks. */
export const eventLogOfProgram: Access<{ program: Program }> = {
  security: [...memberOrKey("program:read").security, { managementKey: ["webhook:manage"] }],
  refused: [401, 403],
  async authorize(request, params) {
    const authorize = (action: Action) => authorizeProgram(request, action, params.id)
    try {
      return { program: await authorize("program:read") }
    } catch (error) {
      if (asFault(error).kind !== "forbidden") throw error
      return { program: await authorize("webhook:manage") }
    }
  },
}

/** The program of the path. Sessions only. For people of other workspaces it is missing. */
export const programOfPath = (action: Action): Access<{ program: Program }> => ({
  ...MEMBER,
  authorize: async (request, params) => ({
    program: await authorizeSession(request, action, params.id, { hides_existence: true }),
  }),
})

/**
 * The program of the path, for events, performance and status. Sessions only. The program of
 * another workspace is forbidden instead of missing (behaviour 2.3.3).
 */
export const programBySession = (action: Action): Access<{ program: Program }> => ({
  ...MEMBER,
  authorize: async (request, params) => ({
    program: await authorizeSession(request, action, params.programId),
  }),
})

/** The program of the path, for the event list: no valid session is 403 (behaviour 2.3.3). */
export const programForbidden = (action: Action): Access<{ program: Program }> => ({
  ...programBySession(action),
  refused: [403],
  async authorize(request, params) {
    try {
      return { program: await authorizeSession(request, action, params.programId) }
    } catch (error) {
      const { kind, message } = asFault(error)
      throw kind === "unauthorized" ? new Fault("forbidden", message) : error
    }
  },
})

type ProgramPath = { program_id: number; params: Params; request: Request }

/**
 * A resource inside the program of the path. It is looked up once the action is permitted, so that
 * only those who may act learn what exists. `find` returns it or throws "missing".
 */
export const inProgram = <Found>(
  action: Action,
  find: (path: ProgramPath) => Promise<Found>,
): Access<{ program: Program; found: Found }> => ({
  ...callersOf(action),
  async authorize(request, params) {
    const program = await authorizeProgram(request, action, params.id)
    const found = await find({ program_id: program.id, params, request })
    return { program, found }
  },
})
