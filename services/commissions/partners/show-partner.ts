import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { findPartner } from "./partners"

export const showPartner = (request: RequestOf<typeof contract.showPartner>) => findPartner(request)
