import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findEndpoint } from "./endpoints"

export const showEndpoint = (key: RequestOf<typeof contract.showEndpoint>) => findEndpoint(sql, key)
