import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findTerms } from "./terms"

export const showTerms = ({ program_id }: RequestOf<typeof contract.showTerms>) =>
  findTerms(sql, program_id)
