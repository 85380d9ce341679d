import { call } from "../../../lib/bus/bus"
import type { Transaction } from "../../../lib/db/database"
import { asFault } from "../../../lib/fault"
import { findMailbox, type NoticeKind } from "../../identity/contract"
import { sql } from "../db"
import { queueOwnMail } from "../mail/queue-own-mail"
import { type MailedNotice, noticeMailOf } from "./notice-mail"

const GROUPS_MAX = 20 // in one run
const NOTICES_MAX = 5_000 // in one run, and in one digest: what is due beyond it follows in another

/** Notices that are due for a person: of one kind if they are instant, else all of a digest. */
type Group = { user_id: number; frequency: string; kinds: NoticeKind[] }
type Mailbox = { email: string; kinds: NoticeKind[]; token: string }

/** Queues mails with the notices that are due. Returns how many. */
export async function mailNotices(): Promise<number> {
  const groups = await sql<Group[]>`
    select user_id, frequency, to_jsonb(array_agg(distinct kind)) as kinds
    from (
      select notice_id, user_id, frequency, due_at
      from notice_recipients
      where mail_id is null
        and due_at <= now()
      order by due_at
      limit ${NOTICES_MAX}
    ) as due
    join notices on notices.id = notice_id
    group by user_id, frequency, case when frequency = 'instant' then kind end
    order by min(due_at)
    limit ${GROUPS_MAX}
  `
  for (const group of groups) {
    const mailbox = await findMailboxOf(group)
    await sql.begin(sql => mailGroup(sql, group, mailbox))
  }
  return groups.length
}

/** Null: there is no such user any more. */
async function findMailboxOf({ user_id, kinds }: Group): Promise<Mailbox | null> {
  try {
    return await call(findMailbox, { user_id, kinds })
  } catch (error) {
    if (asFault(error).kind === "missing") return null
    throw error
  }
}

/**
 * Each notice is in one mail: its row is locked, and marked in the transaction that queues the mail.
 * Another replica waits for the lock, and then finds nothing left, so that no digest comes in halves.
 */
async function mailGroup(sql: Transaction, group: Group, mailbox: Mailbox | null) {
  const { user_id, frequency, kinds } = group
  const due = await sql<(MailedNotice & { notice_id: number })[]>`
    select notice_id, kind, program, message
    from notice_recipients
    join notices on notices.id = notice_id
    where user_id = ${user_id}
      and frequency = ${frequency}
      and kind = any (${kinds}::text[])
      and mail_id is null
      and due_at <= now()
    order by notice_id
    limit ${NOTICES_MAX}
    for update of notice_recipients
  `
  const wanted = due.filter(({ kind }) => mailbox?.kinds.includes(kind))
  const mails = frequency === "instant" ? wanted.map(notice => [notice]) : [wanted]
  for (const notices of mails) {
    if (!mailbox || notices.length === 0) continue
    const mail_id = await queueOwnMail(sql, noticeMailOf(notices, mailbox))
    await sql`
      update notice_recipients
      set mail_id = ${mail_id}
      where user_id = ${user_id}
        and notice_id = any (${notices.map(({ notice_id }) => notice_id)}::bigint[])
    `
  }
  const unwanted = due.filter(notice => !wanted.includes(notice))
  await sql`
    delete from notice_recipients
    where user_id = ${user_id}
      and notice_id = any (${unwanted.map(({ notice_id }) => notice_id)}::bigint[])
  `
}
