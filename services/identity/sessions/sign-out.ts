import type { RequestOf } from "../../../lib/bus/operation"
import { recordSignIn } from "../audit-log/record-sign-in"
import type * as contract from "../contract"
import { sql } from "../db"

export async function signOut({ session_id }: RequestOf<typeof contract.signOut>) {
  await sql.begin(async sql => {
    const [ended] = await sql<[{ user_id: number }?]>`
      delete from sessions
      where id = ${session_id}
      returning user_id
    `
    if (ended) await recordSignIn(sql, "user.sign_out", ended.user_id)
  })
  return {}
}
