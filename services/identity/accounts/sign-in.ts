import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
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
    throw new Fault("unauthorized", "The e-mail address or the password is wrong.")
  }

  const { password_hash, ...user } = known
  const workspace = (await findDefaultWorkspace(user.id)) ?? null
  const device_token = mintDeviceToken(known)
  return { user, workspace, device_token, ...(await startSession(sql, user.id)) }
}
