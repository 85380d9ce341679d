import type { Action, Role } from "../services/identity/contract"
import { useAddress } from "./address"
import { useAnswer } from "./answers"
import { roles } from "./constants"

const LONG_MS = 60_000

/** Who is signed in, and their workspaces. The frame shows screens only once it is known. */
export function useSession() {
  return useAnswer("showSession", {}, { poll_ms: LONG_MS }).data?.data
}

/** The id of the program in the address. Null: the screen belongs to no program. */
export function useProgramId(): number | null {
  const { path } = useAddress()
  return Number(/^\/programs\/(\d+)/.exec(path)?.[1] ?? 0) || null
}

/** The reply that `useProgram` is read from. */
export function useProgramAnswer() {
  const id = useProgramId()
  return useAnswer("showProgram", { params: { id: id ?? 0 } }, { isEnabled: id !== null })
}

/** The program in the address. Undefined: not known yet. */
export const useProgram = () => useProgramAnswer().data?.data

/**
 * The person's membership in the workspace of the address: the path's or the query's, or that of the
 * path's program. If the address names none, the oldest active one.
 */
export function useMembership() {
  const { path, query } = useAddress()
  const program_id = useProgramId()
  const program = useProgram()
  const active = useSession()?.memberships.filter(({ status }) => status === "active") ?? []
  if (program_id !== null) {
    return active.find(({ workspace }) => workspace.id === program?.workspace_id)
  }
  const named = /^\/workspaces\/(\d+)/.exec(path)?.[1] ?? query.workspace
  return named ? active.find(({ workspace }) => workspace.id === Number(named)) : active[0]
}

/** Whether the person may perform an action in the workspace of the address. */
export function useMay(): (action: Action) => boolean {
  const role = useMembership()?.role as Role | undefined
  return action => role !== undefined && roles[action].includes(role)
}
