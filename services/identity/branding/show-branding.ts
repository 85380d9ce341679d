import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findBranding } from "./brandings"

export const showBranding = ({ program_id }: RequestOf<typeof contract.showBranding>) =>
  findBranding(sql, program_id)
