import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findChangeableMember } from "./members"

export const permitMember = (request: RequestOf<typeof contract.permitMember>) =>
  findChangeableMember(sql, request)
