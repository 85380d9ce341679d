import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { requireSame } from "../../../lib/same-row"
import type * as contract from "../contract"
import { sql } from "../db"
import { addPolicy, findPolicyStart } from "../groups/policies"
import { findGroup, recordPolicyEvent } from "../groups/policy-events"

const DEFAULT_POLICY = { kind: "percent", rate_bps: 3_000 } as const

type Request = RequestOf<typeof contract.putProgram>

/** Ignores repeated and older versions, so each policy is added once. */
export async function putProgram({
  program_id,
  version,
  workspace_id,
  currency,
  commission,
}: Request) {
  const after_sale_id = commission && version > 1 ? await findPolicyStart(commission) : null
  await sql.begin(async sql => {
    const [stored] = await sql`
      insert into programs as stored (program_id, version, workspace_id, currency)
      values (${program_id}, ${version}, ${workspace_id}, ${currency})
      on conflict (program_id) do update
        set
          version = excluded.version,
          currency = excluded.currency
        where stored.version < excluded.version
          and stored.workspace_id = excluded.workspace_id
      returning program_id
    `
    if (!stored) {
      return requireSame("putProgram", await findWorkspace(sql, program_id), { workspace_id })
    }

    const [created] = await sql<[{ id: number }?]>`
      insert into groups (program_id, name, is_default)
      values (${program_id}, 'Default', true)
      on conflict (program_id) where is_default do nothing
      returning id
    `
    if (created) return addPolicy(sql, created.id, commission ?? DEFAULT_POLICY)
    if (!commission) return

    const [group] = await sql<[{ id: number }]>`
      select id
      from groups
      where program_id = ${program_id}
        and is_default
      for update
    `
    const before = await findGroup(sql, { program_id, group_id: group.id })
    await addPolicy(sql, group.id, commission, after_sale_id)
    await recordPolicyEvent(sql, program_id, before)
  })
  return {}
}

/** The workspace of a stored program, which never changes. */
async function findWorkspace(sql: Transaction, program_id: number) {
  const [program] = await sql<[{ workspace_id: number }]>`
    select workspace_id
    from programs
    where program_id = ${program_id}
  `
  return program
}
