import type { RequestOf } from "../../../lib/bus/operation"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import { changeStripeSecret } from "../stripe/stripe-secrets"
import { changeProgram } from "./change-program"
import { archived } from "./programs"
import { checked } from "./settings"

type Asked = RequestOf<typeof contract.updateProgram>

/** The secret comes last: it alone is never refused, and is told to nobody. */
export async function updateProgram({ program_id, changes }: Asked) {
  const { stripe_signing_secret, ...settings } = changes
  const fields = checked(settings, false)

  const program = await changeProgram(program_id, "program.update", program => {
    if (program.status === "archived") throw archived()
    return Object.keys(fields).length > 0 ? fields : null
  })
  if (stripe_signing_secret !== undefined) {
    await changeStripeSecret(program, stripe_signing_secret).catch(unconfirmed)
  }
  return program
}
