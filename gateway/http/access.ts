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

/** The parts of a path that its `:names` stand for. */
export type Params = Record<string, string>

/**
 * Who may call a route: the security schemes that /openapi.json names, the statuses with which a
 * caller may be refused, and the check itself. `enter` answers what the handler may know of the
 * caller. It throws "unauthorized", "forbidden" or "missing" in the order of contract 1.
 */
export type Access<Entered = unknown> = {
  security: Record<string, string[]>[]
  refused: number[]
  choosesWorkspace?: true // by X-Workspace-Id
  enter(request: Request, params: Params, body: Body | null): Promise<Entered>
}

const SESSION: Access["security"] = [{ session: [] }, { sessionCookie: [] }]

/** A session, or a key that has the scope. */
export const memberOrKey = (scope: Scope) => ({
  security: [...SESSION, { managementKey: [scope] }],
  refused: [401, 403],
})

/** Members with a session. */
export const MEMBER = { security: SESSION, refused: [401, 403] }

const callersOf = (action: Action) => {
  const scope = SCOPE_OF[action]
  return scope === null ? MEMBER : memberOrKey(scope)
}

export const anybody: Access<object> = {
  security: [],
  refused: [],
  enter: async () => ({}),
}

/** The tracking token of a program. */
export const trackingToken: Access<{ program_id: number }> = {
  security: [{ trackingToken: [] }],
  refused: [401],
  enter: async request => ({ program_id: await programOf(request) }),
}

/** A person who is signed in. */
export const session: Access<{ caller: Session }> = {
  security: SESSION,
  refused: [401],
  enter: async request => ({ caller: await sessionOf(request) }),
}

/** A person who is signed in and has accepted a program's invitation as a partner. */
export const partner: Access<{ account_id: number }> = { ...MEMBER, enter: partnerOf }

/** The workspace that X-Workspace-Id names, or the caller's default. `caller` may be a key. */
export const workspace = (action: Action): Access<{ caller: Caller; workspace_id: number }> => ({
  ...callersOf(action),
  choosesWorkspace: true,
  async enter(request) {
    const caller = await managerOf(request)
    return { caller, workspace_id: await workspaceOf(request, caller, action) }
  },
})

/** As `workspace`, for what no key may do. */
export const workspaceBySession = (
  action: Action,
): Access<{ caller: Session; workspace_id: number }> => ({
  ...MEMBER,
  choosesWorkspace: true,
  async enter(request) {
    const caller = await sessionOf(request)
    return { caller, workspace_id: await workspaceOf(request, caller, action) }
  },
})

/** The workspace of the path. Sessions only; missing for those who do not belong to it. */
export const workspaceOfPath = (
  action: Action,
): Access<{ caller: Session; workspace_id: number }> => ({
  ...MEMBER,
  async enter(request, params) {
    const caller = await sessionOf(request)
    const workspace = { workspace_id: pathId(params.id), conceals: true }
    const { workspace_id } = await call(permitWorkspace, { caller, action, ...workspace })
    return { caller, workspace_id }
  },
})

/** The program of the path. It is missing for those who do not belong to its workspace. */
export const program = (action: Action): Access<{ program: Program }> => ({
  ...callersOf(action),
  enter: async (request, params) => ({
    program: await authorizeProgram(request, action, params.id),
  }),
})

/**
 * The program of the path, for events, performance and status: sessions only, and the program of
 * another workspace is forbidden instead of missing (contract 2).
 */
export const programBySession = (action: Action): Access<{ program: Program }> => ({
  ...MEMBER,
  enter: async (request, params) => ({
    program: await authorizeSession(request, action, params.programId),
  }),
})

/** As `programBySession`, with 403 where there is no valid session (specification 5.2). */
export const programForbidden = (action: Action): Access<{ program: Program }> => ({
  ...programBySession(action),
  refused: [403],
  async enter(request, params) {
    try {
      return { program: await authorizeSession(request, action, params.programId) }
    } catch (error) {
      const { kind, message } = asFault(error)
      throw kind === "unauthorized" ? new Fault("forbidden", message) : error
    }
  },
})

type Inside = { program_id: number; params: Params; request: Request }

/**
 * Something inside the program of the path. It is looked for before the action is refused: what is
 * missing is 404 for everybody (contract 1). `find` answers it, or throws "missing".
 */
export const inProgram = <Found>(
  action: Action,
  find: (inside: Inside) => Promise<Found>,
): Access<{ program: Program; found: Found }> => ({
  ...callersOf(action),
  async enter(request, params) {
    const authorizing = authorizeProgram(request, action, params.id)
    const refusal = await authorizing.then(() => null, asFault)
    if (refusal && refusal.kind !== "forbidden") throw refusal
    const found = await find({ program_id: pathId(params.id), params, request })
    return { program: await authorizing, found }
  },
})
