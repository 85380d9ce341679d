import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { keyNotFound, lockKey } from "./keys"

export async function permitKey({ caller, key_id }: RequestOf<typeof contract.permitKey>) {
  if (key_id === null) throw await keyNotFound(sql, caller)
  return (await lockKey(sql, caller, key_id)).key
}
