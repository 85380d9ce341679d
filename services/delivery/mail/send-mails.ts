import { log } from "../../../lib/log"
import { newContext, withContext } from "../../../lib/request-context"
import { type ClaimedMail, claimMails } from "./claim-mails"
import { openAndFill } from "./mail-content"
import { sendToServer } from "./mail-server"
import { mailTarget, writeToOutbox } from "./outbox"
import { type Failure, settleFailure, settleSent } from "./settle-mails"

const AT_ONCE_MAX = 8 // of this process
const ATTEMPT_MS_MAX = 240_000
const STOP_MS_MAX = 3_000

const sending = new Set<Promise<void>>()

/**
 * Begins to send mails that are due, and does not wait for them: a mail that hangs takes one place,
 * and the others go on. Returns how many it began with.
 */
export async function sendMails(): Promise<number> {
  if (mailTarget() === null) return 0
  const mails = await claimMails(AT_ONCE_MAX - sending.size)
  for (const mail of mails) {
    const attempt = withContext(newContext(), () => attemptMail(mail)).finally(() => {
      sending.delete(attempt)
    })
    sending.add(attempt)
  }
  return mails.length
}

/** Waits a moment for the mails that are being sent. The others are tried again later. */
export async function finishMails() {
  await Promise.race([Promise.all(sending), Bun.sleep(STOP_MS_MAX)])
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
