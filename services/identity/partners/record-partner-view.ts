import type { RequestOf } from "../../../lib/bus/operation"
import { recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.recordPartnerView>

export async function recordPartnerView({ user_id, workspace_id, ...view }: Request) {
  const { program_id, partner_id } = view
  await sql.begin(async sql => {
    const isNew = await sql`
      insert into partner_views as known (user_id, program_id, partner_id)
      values (${user_id}, ${program_id}, ${partner_id})
      on conflict (user_id, program_id, partner_id) do update
      set viewed_at = excluded.viewed_at
      where known.viewed_at < excluded.viewed_at - interval '1 hour'
    `
    if (isNew.count === 0) return
    const change = { workspace_id, program_id, subject_id: partner_id, details: {} }
    await recordChange(sql, { ...change, action: "partner.view_as" })
  })
  return {}
}
