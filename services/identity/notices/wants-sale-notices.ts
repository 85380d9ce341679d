import type { Transaction } from "../../../lib/db/database"

/** Whether a partner of the program or a member of its workspace wants notices of sales by mail. */
export async function wantsSaleNotices(
  sql: Transaction,
  { program_id, workspace_id }: { program_id: number; workspace_id: number },
): Promise<boolean> {
  const [{ wanted }] = await sql<[{ wanted: boolean }]>`
    select
      exists (
        select
        from memberships
        join notification_settings as settings using (user_id)
        where workspace_id = ${workspace_id}
          and status = 'active'
          and ${wants(sql)}
      )
      or exists (
        select
        from partner_bindings
        join partner_accounts as account on account.id = account_id
        join notification_settings as settings using (user_id)
        where program_id = ${program_id}
          and ${wants(sql)}
      ) as wanted
  `
  return wanted
}

const wants = (sql: Transaction) => sql`(kind = 'sale' and frequency <> 'off')` // off is the default
