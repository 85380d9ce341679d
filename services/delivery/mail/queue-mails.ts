import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

export async function queueMails({ mails }: RequestOf<typeof contract.queueMails>) {
  await sql`
    insert into mails (id, sealed, expires_at)
    select id, sealed, expires_at
    from jsonb_to_recordset(${sql.json(mails)}) as mail (
      id uuid, sealed text, expires_at timestamptz
    )
    on conflict (id) do nothing
  `
  return {}
}
