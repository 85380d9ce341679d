import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { findDatabase } from "./live-database"
import { describeError } from "./part"

/**
 * Seals with SECRET_KEY what SECRET_KEY_PREVIOUS still opens (behaviour 9.7.3), so that the previous
 * key can be forgotten. Tributary may run meanwhile. Exits 1 if neither key opens something, and
 * names it; with --discard that is removed instead.
 */
const { env } = process
const discard = process.argv.includes("--discard")
env.SECRET_KEY ||= keyInDataDir()
env.LOG_LEVEL ||= "warn"

try {
  await findDatabase(["identity", "tracking", "delivery"])
  const { resealStripeSecrets } = await import("../services/identity/stripe/reseal-stripe-secrets")
  const { resealEmailKey } = await import("../services/tracking/customers/email-key")
  const { resealWebhookSecrets } = await import(
    "../services/delivery/endpoints/reseal-webhook-secrets"
  )
  const { resealOutgoingMails } = await import(
    "../services/identity/invitations/reseal-outgoing-mails"
  )
  const { resealMails } = await import("../services/delivery/mail/reseal-mails")
  const results = [
    await resealStripeSecrets(discard),
    await resealEmailKey(discard),
    await resealWebhookSecrets(discard),
    await resealOutgoingMails(discard),
    await resealMails(discard),
  ]
  const resealed = results.reduce((sum, result) => sum + result.resealed, 0)
  const unopened = results.flatMap(result => result.unopened)

  console.log(`Sealed with SECRET_KEY: ${resealed}.`)
  if (unopened.length === 0) console.log("SECRET_KEY_PREVIOUS is not needed any more.")
  else console.error(`Neither key opens: ${unopened.join(", ")}.`)
  process.exit(unopened.length === 0 ? 0 : 1)
} catch (error) {
  console.error(describeError(error))
  process.exit(1)
}

function keyInDataDir(): string | undefined {
  const file = join(env.DATA_DIR || join(import.meta.dir, "../.data"), "secret_key")
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}
