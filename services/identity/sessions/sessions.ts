import type { Database, Transaction } from "../../../lib/db/database"
import { hashOf, mintToken } from "../../../lib/token"
import { sql } from "../db"

const IDLE_MAX = sql`interval '14 days'`

const isAlive = sql`
  last_used_at > now() - ${IDLE_MAX}
  and created_at > now() - interval '90 days'
`

/** Begins a session of a user. Nobody can tell its token again. */
export async function beginSession(sql: Database | Transaction, user_id: number) {
  const token = mintToken("affs_")
  const [{ expires_at }] = await sql<[{ expires_at: string }]>`
    insert into sessions (user_id, token_hash)
    values (${user_id}, ${hashOf(token)})
    returning last_used_at + ${IDLE_MAX} as expires_at
  `
  return { token, expires_at }
}

/** Whose session this is, if it lives. */
export async function useSession(token_hash: string) {
  const [session] = await sql<[{ session_id: number; user_id: number }?]>`
    with ${usedSession(token_hash)}
    select session_id, user_id
    from session
  `
  return session
}

/** The same, to be joined. A use is written down once a minute: reads stay reads. */
export const usedSession = (token_hash: string) => sql`
  session as (
    select id as session_id, user_id, last_used_at
    from sessions
    where token_hash = ${token_hash} and ${isAlive}
  ),
  used as (
    update sessions
    set last_used_at = now()
    from session
    where sessions.id = session.session_id
      and session.last_used_at < now() - interval '1 minute'
  )
`

/** They are refused already; this only makes room. */
export const forgetEndedSessions = () => sql`
  delete from sessions
  where not (${isAlive})
`
