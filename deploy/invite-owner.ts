import { parseArgs } from "node:util"
import { parse } from "../lib/bus/operation"
import { NewInvitation } from "../services/identity/contract"
import { findDatabase } from "./live-database"

const USAGE = "npm run invite-owner -- --email ADDRESS"

/**
 * Prints an invitation for the first owner of an instance without accounts (behaviour 9.7.2). The
 * last line is the token alone. Exits with 1 if an account exists, with 2 on a wrong address.
 */
process.env.LOG_LEVEL ||= "warn"
const email = readEmail()
await findDatabase(["identity"])
const { sql } = await import("../services/identity/db")
const { inviteOwner } = await import("../services/identity/invitations/invite-owner")

const invitation = await inviteOwner(email).catch(error => {
  console.error(`The invitation was not stored: ${error.message}. Has Tributary been started once?`)
  process.exit(1)
})
await sql.end()
if (!invitation) {
  console.error("This instance has an account: its owners send the invitations.")
  process.exit(1)
}
console.log(`${email} may become the first owner, until ${invitation.expires_at}, with`)
console.log(`POST /api/auth/accept-invitation {"token": …, "password": …, "name": …}. The token:`)
console.log(invitation.token)

function readEmail(): string {
  try {
    const { values } = parseArgs({ options: { email: { type: "string" } } })
    return parse(NewInvitation, { email: values.email, role: "owner" }).email
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}
