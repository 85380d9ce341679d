import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { partnersWhere } from "./partners"

export async function showPartner(asked: RequestOf<typeof contract.showPartner>) {
  const [partner] = await partnersWhere({ ...asked, limit: 1, offset: 0 })
  if (!partner) throw new Fault("missing", "The program has no such partner.")
  return partner
}
