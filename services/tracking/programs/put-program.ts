import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

type Settings = RequestOf<typeof contract.putProgram>

export async function putProgram(settings: Settings) {
  await sql.begin(async sql => {
    const [created] = await sql`
      insert into programs ${sql(settings)}
      on conflict (program_id) do nothing
      returning 1
    `
    if (!created) await updateProgram(sql, settings)
  })
  return {}
}

/** Locks the row, which sales lock too: no first sale can slip in between check and update. */
async function updateProgram(sql: Transaction, settings: Settings) {
  const { program_id, version, currency } = settings
  const [stored] = await sql<[{ version: number; currency: string }]>`
    select version, currency
    from programs
    where program_id = ${program_id}
    for update
  `
  if (stored.version >= version) return
  if (stored.currency !== currency && (await hasSale(sql, program_id))) {
    throw new Fault("conflict", "The currency cannot be changed: the program has sales.")
  }
  await sql`
    update programs
    set ${sql(settings)}
    where program_id = ${program_id}
  `
}

async function hasSale(sql: Transaction, program_id: number): Promise<boolean> {
  const [sale] = await sql`
    select 1
    from affiliate_sale_events
    where program_id = ${program_id}
      and not is_test
    limit 1
  `
  return sale !== undefined
}
