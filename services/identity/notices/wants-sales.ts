import type { Transaction } from "../../../lib/db/database"

/** Whether a partner of the program or a member of its workspace wants notices of sales by mail. */
export async function wantsSales(
  sql: Transaction,
  { program_id, workspace_id }: { program_id: number; workspace_id: number },
): Promise<boolean> {
  const [{ wanted }] = await sql<[{ wanted: boolean }]>`
    with reader as (
      select user_id
      from notification_settings
      where kind = 'sale'
        and frequency <> 'off' -- which is the default
    )
    select
      exists (
        select
        from reader
        join memberships using (user_id)
        where workspace_id = ${workspace_id}
          and status = 'active'
      )
      or exists (
        select
        from reader
        join partner_accounts as account using (user_id)
        join partner_bindings on account_id = account.id
        where program_id = ${program_id}
      ) as wanted
  `
  return wanted
}
