import { Fault } from "../../../lib/fault"
import { findUrlRefusal } from "../outside/destination"

/** Throws "invalid" if events may not be sent to this URL. */
export async function checkUrl(url: string) {
  const refusal = await findUrlRefusal(url)
  if (refusal) throw new Fault("invalid", refusal)
}
