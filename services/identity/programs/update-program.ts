import type { RequestOf } from "../../../lib/bus/operation"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import { changeStripeSecret } from "../stripe/stripe-secrets"
import { changeProgram } from "./change-program"
import { programArchived } from "./programs"
import { checkSettings } from "./settings"

type Request = RequestOf<typeof contract.updateProgram>

/** The secret comes last: it is never refused, and no other service receives it. */
export async function updateProgram({ program_id, changes }: Request) {
  const { stripe_signing_secret, ...settings } = changes
  const fields = checkSettings(settings, false)

  const program = await changeProgram(program_id, "program.update", program => {
    if (program.status === "archived") throw programArchived()
    return Object.keys(fields).length > 0 ? fields : null
  })
  if (stripe_signing_secret !== undefined) {
    await changeStripeSecret(program, stripe_signing_secret).catch(unconfirmed)
  }
  return program
}
