import type { RequestOf } from "../../lib/bus/operation"
import { readWorkspaceEntries } from "../../lib/record-change"
import type * as contract from "./contract"
import { feeds_sql as sql } from "./db"

export const feedAuditEntries = (request: RequestOf<typeof contract.feedAuditEntries>) =>
  readWorkspaceEntries(sql, request)
