import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { sql } from "../db"

type Request = RequestOf<typeof contract.forgetPartner>

/** Keeps the row with status removed: a putPartner that arrives late must find it. */
export async function forgetPartner({ program_id, partner_id }: Request) {
  await sql.begin(async sql => {
    await sql`
      insert into partner_programs (program_id, partner_id, version, status)
      values (${program_id}, ${partner_id}, 1, 'removed')
      on conflict (program_id, partner_id) do update
      set status = 'removed'
    `
    await sql`
      delete from referral_links
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
  })
  return {}
}
