import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { findPostback } from "./postbacks"

export const showPostback = (key: RequestOf<typeof contract.showPostback>) => findPostback(sql, key)
