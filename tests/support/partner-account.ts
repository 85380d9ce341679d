import type { TestProgram } from "./program"
import { send } from "./world"

const password = "correct horse battery"
let count = 0

type Joined = Pick<TestProgram, "path" | "session" | "partner_id">

/** Accepts a partner's invitation with a new account, or the account with this email. Returns its session. */
export async function newPartnerAccount({ path, session, partner_id }: Joined, email = newEmail()) {
  const invite = `${path}/partners/${partner_id}/invite`
  const invitation = await send("POST", invite, { token: session })
  const body = { token: invitation.body.data?.token, password, email }
  const accepted = await send("POST", "/api/auth/accept-invitation", { body })
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
  return accepted.body.data.token as string
}

export const newEmail = () => `person-${process.pid}-${Date.now()}-${++count}@example.com`
