import type { TestProgram } from "./program"
import { send } from "./world"

const password = "correct horse battery"
let count = 0

type Joined = Pick<TestProgram, "path" | "session" | "partner_id">

/** The session of the person behind a partner: a new one, or who has the address already. */
export async function newPartnerAccount({ path, session, partner_id }: Joined, email = newEmail()) {
  const invite = `${path}/partners/${partner_id}/invite`
  const invited = await send("POST", invite, { token: session })
  const body = { token: invited.body.data?.token, password, email }
  const accepted = await send("POST", "/api/auth/accept-invitation", { body })
  if (accepted.status !== 200) throw new Error(JSON.stringify(accepted.body))
  return accepted.body.data.token as string
}

export const newEmail = () => `person-${process.pid}-${Date.now()}-${++count}@example.com`
