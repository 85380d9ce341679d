import type { RequestOf } from "../../../lib/bus/operation"
import type { Database, Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import { sql } from "../db"
import { insertLink } from "../links/links"

type Request = RequestOf<typeof contract.putPartner>

export async function putPartner(request: Request) {
  const { program_id, partner_id, first_link } = request
  if (!first_link) await storeStatus(sql, request)
  else {
    await sql.begin(async sql => {
      const { is_new } = await storeStatus(sql, request)
      if (!is_new) return
      await insertLink(sql, { program_id, partner_id, destination_url: null, ...first_link })
    })
  }
  return {}
}

async function storeStatus(
  sql: Database | Transaction,
  { program_id, partner_id, version, status }: Request,
) {
  const [stored] = await sql<[{ is_new: boolean }?]>`
    insert into partner_programs as partner (program_id, partner_id, version, status)
    values (${program_id}, ${partner_id}, ${version}, ${status})
    on conflict (program_id, partner_id) do update
    set
      version = excluded.version,
      status = excluded.status
    where partner.version < excluded.version
    returning xmax = 0 as is_new -- of an updated row, xmax is this transaction
  `
  return { is_new: stored?.is_new ?? false }
}
