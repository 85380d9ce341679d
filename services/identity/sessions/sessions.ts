import type { Database, Transaction } from "../../../lib/db/database"
import { hashOf, mintToken } from "../../../lib/token"
import { sql } from "../db"

const IDLE_MAX = sql`interval '14 days'`

const isAlive = sql`
  last_used_at > now() - ${IDLE_MAX}
  and created_at > now() - interval '90 days'
`

/** Starts a session of a user. Only a hash of its token is stored. */
export async function startSession(sql: Database | Transaction, user_id: number) {
  const token = mintToken("affs_")
  const [{ expires_at }] = await sql<[{ expires_at: string }]>`
    insert into sessions (user_id, token_hash)
    values (${user_id}, ${hashOf(token)})
    returning last_used_at + ${IDLE_MAX} as expires_at
  `
  return { token, expires_at }
}

/** Finds a session that has not ended, and records its use. */
export async function useSession(token_hash: string) {
  const [session] = await sql<[{ session_id: number; user_id: number }?]>`
    with ${sessionCtes(token_hash)}
    select session_id, user_id
    from session
  `
  return session
}

/** The CTE `session`, and one that records its use (at most once a minute). */
export const sessionCtes = (token_hash: string) => sql`
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

/** Deletes ended sessions to save space: they are refused anyway. */
export const deleteEndedSessions = () => sql`
  delete from sessions
  where not (${isAlive})
`
