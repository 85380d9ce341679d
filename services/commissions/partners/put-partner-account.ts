import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault, unavailable } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"
import { notifyOfUnbinding } from "../notifications/notifications"

type Request = RequestOf<typeof contract.putPartnerAccount>

/**
 * Stores the account of a partner, unless a newer version is stored. A process from before versions
 * may send an unbinding without one: refused, it stays unsent until a newer process sends it.
 */
export const putPartnerAccount = (request: Request) =>
  sql.begin(async sql => {
    const { program_id, partner_id, account_id, version = 1, unbound_account_id = null } = request
    if (account_id === null && request.version === undefined) throw unavailable()
    await lockPartner(sql, program_id, partner_id)
    const stored = await sql`
      update partners
      set
        account_id = ${account_id},
        account_version = ${version}
      where id = ${partner_id}
        and account_version < ${version}
    `
    if (stored.count === 1 && account_id === null) {
      await notifyOfUnbinding(sql, { program_id, partner_id, account_id: unbound_account_id })
    }
    return {}
  })

async function lockPartner(sql: Transaction, program_id: number, partner_id: number) {
  const [partner] = await sql`
    select 1
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
      and version > 0
    for share
  `
  if (!partner) throw new Fault("missing", "Partner not found in this program.")
}
