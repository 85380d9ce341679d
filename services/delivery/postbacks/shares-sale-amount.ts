import { call } from "../../../lib/bus/bus"
import { findPrograms } from "../../identity/contract"

/**
 * Whether a program tells its partners what was bought (`share_sale_amount`, behaviour 3.1). identity is
 * asked each time, so that a change holds for the next request. Null: it is of no certain program,
 * so it does not. Throws "unavailable".
 */
export async function sharesSaleAmount(program_id: number | null): Promise<boolean> {
  if (program_id === null) return false
  const { programs } = await call(findPrograms, { program_ids: [program_id] })
  return programs.some(({ share_sale_amount }) => share_sale_amount)
}
