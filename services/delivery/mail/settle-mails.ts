import { withoutSecrets } from "../../../lib/log"
import { sql } from "../db"
import type { ClaimedMail } from "./claim-mails"
import { mailTarget } from "./outbox"

/** An error of nodemailer. `command` is what the server refused. */
export type Failure = Error & { responseCode?: number; command?: string }

const PAUSES_MINUTES = [1, 5, 15, 60, 240] // then the last one, until the mail expires
const ERROR_MAX = 500

/** Only the outbox shows mails later. Otherwise recipient and content go with the mail. */
export const settleSent = ({ id }: ClaimedMail) => sql`
  update mails
  set
    status = 'sent',
    sealed = ${isOutbox() ? sql`sealed` : null},
    error = null,
    done_at = now()
  where id = ${id}
    and status = 'queued'
`

/** A mail that another replica claimed meanwhile is that replica's. */
export function settleFailure({ id, attempts }: ClaimedMail, failure: Failure) {
  const pause = PAUSES_MINUTES[Math.min(attempts, PAUSES_MINUTES.length) - 1]!
  const outcome = isFinal(failure)
    ? sql`status = 'failed', sealed = null, done_at = now()`
    : sql`next_attempt_at = now() + ${pause} * interval '1 minute'`
  return sql`
    update mails
    set ${outcome}, error = ${textOf(failure)}
    where (id, attempts) = (${id}, ${attempts})
      and status = 'queued'
  `
}

/** The server refused the recipient or the content for good. Anything else may be over later. */
const isFinal = ({ responseCode = 0, command = "" }: Failure) =>
  responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command)

/** Without addresses and tokens, which the server may quote. */
const textOf = (failure: Failure) =>
  `${(withoutSecrets(failure) as Error).message}`.slice(0, ERROR_MAX)

function isOutbox() {
  const target = mailTarget()
  return target !== null && "folder" in target
}
