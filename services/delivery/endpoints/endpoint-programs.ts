import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { listPrograms } from "../../identity/contract"

/** The programs of an endpoint, each once. Throws "invalid" for one of another workspace. */
export async function checkPrograms(
  workspace_id: number,
  program_ids: number[] | null,
): Promise<number[] | null> {
  if (program_ids === null) return null
  const ids = [...new Set(program_ids)]
  if (ids.length === 0) return ids
  const { total } = await call(listPrograms, {
    workspace_id,
    program_ids: ids,
    page: 1,
    pageSize: 1,
  })
  if (total === ids.length) return ids
  throw new Fault("invalid", "program_ids contains a program that is not in this workspace.")
}
