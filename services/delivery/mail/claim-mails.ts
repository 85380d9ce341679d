import { sql } from "../db"

const CLAIM_MINUTES = 5 // longer than an attempt: then another replica may try

export type ClaimedMail = { id: string; sealed: string; attempts: number; created_at: string }

/** A claim holds no lock and keeps other replicas off the same mails. */
export const claimMails = (limit: number) => sql<ClaimedMail[]>`
  update mails
  set
    attempts = attempts + 1,
    next_attempt_at = now() + ${CLAIM_MINUTES} * interval '1 minute'
  where id in (
    select id
    from mails
    where status = 'queued'
      and next_attempt_at <= now()
      and expires_at > now()
    order by next_attempt_at
    limit ${limit}
    for update skip locked
  )
  returning id, sealed, attempts, created_at
`
