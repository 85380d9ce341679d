import { call } from "../../../lib/bus/bus"
import { findPrograms } from "../../identity/contract"

/**
 * Whether a program shares the amounts of sales with its partners (`share_sale_amount`, behaviour 3.1).
 * It is read from identity each time, so that a change holds for the next request. program_id null:
 * the postback is for all programs of an account, and nothing is shared. Throws "unavailable".
 */
export async function sharesSaleAmount(program_id: number | null): Promise<boolean> {
  if (program_id === null) return false
  const { programs } = await call(findPrograms, { program_ids: [program_id] })
  return programs.some(({ share_sale_amount }) => share_sale_amount)
}
