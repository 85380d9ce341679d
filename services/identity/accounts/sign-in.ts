import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordSignIn } from "../audit-log/record-sign-in"
import type * as contract from "../contract"
import { sql } from "../db"
import { startSession } from "../sessions/sessions"
import { mintDeviceToken } from "./device-tokens"
import { isPassword } from "./passwords"
import { findDefaultWorkspace, findUserByEmail } from "./users"

type Request = RequestOf<typeof contract.signIn>

export async function signIn({ email, password }: Request) {
  const known = await findUserByEmail(email)
  const isCorrect = await isPassword(password, known?.password_hash)
  if (!known || !isCorrect) {
    await recordRefusal(known?.id ?? null)
    throw new Fault("unauthorized", "The e-mail address or the password is wrong.")
  }

  const { password_hash, ...user } = known
  const workspace = (await findDefaultWorkspace(user.id)) ?? null
  const device_token = mintDeviceToken(known)
  const session = await sql.begin(async sql => {
    await recordSignIn(sql, "user.sign_in", user.id)
    return startSession(sql, user.id)
  })
  return { user, workspace, device_token, ...session }
}

/**
 * Does the same for an unknown address, which has no log, and waits for no disk: the time that a
 * refusal takes must not reveal which addresses have accounts.
 */
const recordRefusal = (user_id: number | null) =>
  sql.begin(async sql => {
    await sql`set local synchronous_commit = off`
    await recordSignIn(sql, "user.refuse_sign_in", user_id)
  })
