import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import { Fault } from "../../../lib/fault"
import type { OutboxMail } from "../contract"
import { sql } from "../db"
import { openAndFill } from "./mail-content"
import { mailTarget } from "./outbox"

const ROWS_MAX = 100

type Stored = { id: string; sealed: string; at: string }

/** The database has what the files have: any replica may reply, wherever its folder is. */
export async function listOutbox() {
  const target = mailTarget()
  if (target === null || "server" in target) throw new Fault("missing", "There is no outbox.")
  const written = await sql<Stored[]>`
    select id, sealed, done_at as at
    from mails
    where status = 'sent'
      and sealed is not null
    order by done_at desc, id
    limit ${ROWS_MAX}
  `
  const rows = await Promise.all(written.map(open))
  return { rows: rowsThatFit(rows.filter(row => row !== null)) }
}

/** Null: SECRET_KEY has changed since. */
async function open({ id, sealed, at }: Stored): Promise<OutboxMail | null> {
  const mail = await openAndFill(id, sealed).catch(() => null)
  if (mail === null) return null
  const { unsubscribe_url: _, ...shown } = mail
  return { id, at, ...shown }
}
