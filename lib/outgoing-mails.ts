import { type Static, Type } from "@sinclair/typebox"
import type { Database, Transaction } from "./db/database"
import { isDue } from "./db/due"
import { decrypt, encrypt } from "./encryption"
import { Time, Uuid } from "./fields"
import { log } from "./log"

const HANDED_OVER_MAX = 20 // in one message

/**
 * A mail on its way to delivery. `id` is given once, so that a mail that is handed over twice is one
 * mail. `sealed` is its recipient and content: only delivery opens it, when it sends it.
 */
export const SealedMail = Type.Object({
  id: Uuid,
  sealed: Type.String(),
  expires_at: Time, // it is not sent any more from then on
})
export type SealedMail = Static<typeof SealedMail>

/** What a mail is about, such as "invitation 7". A newer mail replaces one that still waits. */
type About = `${"invitation" | "partner_invitation"} ${number}`

/**
 * Records a mail in the transaction that makes it necessary, so that it is sent if and only if the
 * transaction commits. `content` is sealed, as it may hold a token that is stored nowhere else.
 */
export async function recordOutgoingMail(
  sql: Transaction,
  about: About,
  expires_at: string,
  content: object,
) {
  const id = crypto.randomUUID()
  const sealed = await sealMail(id, content)
  await withdrawOutgoingMail(sql, about)
  await sql`
    insert into outgoing_mails (id, about, sealed, expires_at)
    values (${id}, ${about}, ${sealed}, ${expires_at})
  `
}

/** Withdraws a mail that was not handed over to delivery yet. */
export async function withdrawOutgoingMail(sql: Transaction, about: About) {
  await sql`
    delete from outgoing_mails
    where about = ${about}
  `
}

/** Returns the sweep that hands mails over to delivery, and deletes them once delivery has them. */
export const outgoingMailSweeper =
  (sql: Database, handOver: (mails: SealedMail[]) => Promise<unknown>) => async () => {
    const mails = await claimMails(sql)
    if (mails.length === 0) return 0
    try {
      await handOver(mails)
    } catch (err) {
      log.warn({ err, mails: mails.length }, "Delivery has not received mails yet.")
      return 0
    }
    await sql`
      delete from outgoing_mails
      where id = any (${mails.map(({ id }) => id)}::text[]::uuid[])
    `
    return mails.length
  }

/** A claim lasts five seconds: it holds no lock and keeps other replicas off the same mails. */
const claimMails = (sql: Database) => sql<SealedMail[]>`
  update outgoing_mails
  set try_after = now() + interval '5 seconds'
  where id in (
    select id
    from outgoing_mails
    where ${isDue(sql)}
    order by try_after
    limit ${HANDED_OVER_MAX}
    for update skip locked
  )
  returning id, sealed, expires_at
`

export const sealMail = (id: string, content: object) =>
  encrypt(JSON.stringify(content), ownerOf(id))

/** Opens what sealMail sealed. Throws if no key opens it. */
export const openMail = async (id: string, sealed: string): Promise<object> =>
  JSON.parse(await decrypt(sealed, ownerOf(id)))

const ownerOf = (id: string) => `mail ${id}`
