import { useAnswer } from "../../answers"

/** The groups of a program as [id, name]. */
export function useGroupNames(program_id: number): [string, string][] {
  const input = { params: { id: program_id }, query: { pageSize: 100 } }
  const groups = useAnswer("listGroups", input).data?.data ?? []
  return groups.map(({ id, name }) => [`${id}`, name])
}
