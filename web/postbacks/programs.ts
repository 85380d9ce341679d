import { useAnswer } from "../answers"
import { usePostbackPlace } from "./place"

/** The names of a partner's programs by id. Null: the postbacks are of one program. */
export function useJoinedPrograms(): ReadonlyMap<number, string> | null {
  const { isOwn, isEnabled } = usePostbackPlace()
  const programs = useAnswer(
    "listPartnerPrograms",
    { query: { pageSize: 100 } },
    { isEnabled: isOwn && isEnabled },
  )
  return isOwn ? new Map(programs.data?.data.map(({ id, name }) => [id, name])) : null
}
