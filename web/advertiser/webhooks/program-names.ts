import { useAnswer } from "../../answers"
import type { Names } from "./cells"

/** The names of a workspace's programs by id. */
export function useProgramNames(workspace: number): Names {
  const programs = useAnswer("listPrograms", { workspace, query: { pageSize: 100 } })
  return new Map((programs.data?.data ?? []).map(({ id, name }) => [id, name]))
}
