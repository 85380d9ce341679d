import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"
import { insertLink } from "../links/links"

export async function putPartner(request: RequestOf<typeof contract.putPartner>) {
  const { program_id, partner_id, version, status, first_link } = request
  await sql.begin(async sql => {
    const [created] = await sql`
      insert into partner_programs (program_id, partner_id, version, status)
      values (${program_id}, ${partner_id}, ${version}, ${status})
      on conflict (program_id, partner_id) do nothing
      returning 1
    `
    if (created && first_link) {
      await insertLink(sql, { program_id, partner_id, destination_url: null, ...first_link })
    }
    if (created) return

    await sql`
      update partner_programs
      set
        version = ${version},
        status = ${status}
      where program_id = ${program_id}
        and partner_id = ${partner_id}
        and version < ${version}
    `
  })
  return {}
}
