import { log } from "../../../lib/log"
import { newContext, withContext } from "../../../lib/request-context"
import { every } from "../../../lib/timer"
import { type ClaimedMail, claimMails } from "./claim-mails"
import { openAndFill } from "./mail-content"
import { sendToServer } from "./mail-server"
import { mailTarget, writeToOutbox } from "./outbox"
import { type Failure, settleFailure, settleSent } from "./settle-mails"

const AT_ONCE_MAX = 8 // of this process
const ATTEMPT_MS_MAX = 240_000
const LOOK_MS = 1_000
const FINISH_MS_MAX = 3_000

const sending = new Set<Promise<void>>()
let ended = Promise.withResolvers<void>()

/**
 * Sends mails that are due, until stopped. Returns the function that stops it, which waits a moment
 * for the mails that are being sent. The others are tried again later.
 */
export function keepSendingMails() {
  const stop = every(0, "Sending mails", sendMails)
  return async () => {
    await stop()
    await Promise.race([Promise.all(sending), Bun.sleep(FINISH_MS_MAX)])
  }
}

/**
 * Looks for due mails once one has been sent, or time has passed. It does not wait for those that it
 * begins with: a mail that hangs takes one place, and the others go on. Returns how many it began with.
 */
async function sendMails(): Promise<number> {
  await Promise.race([ended.promise, Bun.sleep(LOOK_MS)])
  ended = Promise.withResolvers()
  if (mailTarget() === null) return 0
  const mails = await claimMails(AT_ONCE_MAX - sending.size)
  for (const mail of mails) {
    const attempt = withContext(newContext(), () => attemptMail(mail)).finally(() => {
      sending.delete(attempt)
      ended.resolve()
    })
    sending.add(attempt)
  }
  return mails.length
}

/** Sends a mail and notes the outcome. If noting it fails, the mail is tried again: at least once. */
async function attemptMail(mail: ClaimedMail) {
  try {
    await withinTime(send(mail))
    await settleSent(mail)
  } catch (error) {
    const failure = error as Failure
    log.warn({ err: failure, mail: mail.id, attempts: mail.attempts }, "A mail was not sent.")
    await settleFailure(mail, failure).catch(err => log.error({ err }, "Settling a mail failed."))
  }
}

async function send({ id, sealed, created_at }: ClaimedMail) {
  const message = { id, created_at, ...(await openAndFill(id, sealed)) }
  const target = mailTarget()
  if (target && "server" in target) await sendToServer(message, target.server)
  else if (target) await writeToOutbox(message, target.folder)
}

function withinTime(work: Promise<void>) {
  const { promise, reject } = Promise.withResolvers<void>()
  const timeout = setTimeout(
    () => reject(new Error("The mail server is too slow.")),
    ATTEMPT_MS_MAX,
  )
  return Promise.race([work, promise]).finally(() => clearTimeout(timeout))
}
