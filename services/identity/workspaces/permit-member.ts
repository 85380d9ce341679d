import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { changeableMember } from "./members"

export const permitMember = (named: RequestOf<typeof contract.permitMember>) =>
  changeableMember(sql, named)
