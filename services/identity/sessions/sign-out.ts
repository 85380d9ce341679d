import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

export async function signOut({ session_id }: RequestOf<typeof contract.signOut>) {
  await sql`
    delete from sessions
    where id = ${session_id}
  `
  return {}
}
