import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { partnersWhere } from "./partners"

export async function showPartner(request: RequestOf<typeof contract.showPartner>) {
  const [partner] = await partnersWhere({ ...request, limit: 1, offset: 0 })
  if (!partner) throw new Fault("missing", "Partner not found in this program.")
  return partner
}
