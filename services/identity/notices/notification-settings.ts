import type { Database, Transaction } from "../../../lib/db/database"
import type { NotificationSettings } from "../contract"

/** Sales may be many, so they are mailed only to people who choose that. */
export const DEFAULTS: NotificationSettings = {
  sale: "off",
  rejection: "instant",
  refund: "instant",
  payment: "instant",
  application: "instant",
  failing_endpoint: "instant",
}

export async function settingsOf(
  sql: Database | Transaction,
  user_id: number,
): Promise<NotificationSettings> {
  const chosen = await sql<{ kind: string; frequency: string }[]>`
    select kind, frequency
    from notification_settings
    where user_id = ${user_id}
  `
  return { ...DEFAULTS, ...Object.fromEntries(chosen.map(row => [row.kind, row.frequency])) }
}

/** Stores settings of a person. */
export const storeSettings = (
  sql: Transaction,
  user_id: number,
  changes: Partial<NotificationSettings>,
) => sql`
  insert into notification_settings (user_id, kind, frequency)
  select ${user_id}, key, value
  from jsonb_each_text(${sql.json(changes)})
  on conflict (user_id, kind) do update
  set frequency = excluded.frequency
`
