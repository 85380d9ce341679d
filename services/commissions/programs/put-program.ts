import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { addPolicy } from "../groups/policies"

const FIRST_POLICY = { kind: "percent", rate_bps: 3_000 } as const

type Asked = RequestOf<typeof contract.putProgram>

/** The version decides which message counts, so each policy is added once. */
export async function putProgram({
  program_id,
  version,
  workspace_id,
  currency,
  commission,
}: Asked) {
  await sql.begin(async sql => {
    const [put] = await sql`
      insert into programs as known (program_id, version, workspace_id, currency)
      values (${program_id}, ${version}, ${workspace_id}, ${currency})
      on conflict (program_id) do update
        set
          version = excluded.version,
          workspace_id = excluded.workspace_id,
          currency = excluded.currency
        where known.version < excluded.version
      returning program_id
    `
    if (!put) return

    const [made] = await sql<[{ id: number }?]>`
      insert into groups (program_id, name, is_default)
      values (${program_id}, 'Default', true)
      on conflict (program_id) where is_default do nothing
      returning id
    `
    if (made) return addPolicy(sql, made.id, commission ?? FIRST_POLICY)
    if (!commission) return

    const [group] = await sql<[{ id: number }]>`
      select id
      from groups
      where program_id = ${program_id}
        and is_default
      for update
    `
    await addPolicy(sql, group.id, commission)
  })
  return {}
}
