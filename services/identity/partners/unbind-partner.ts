import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { recordChange } from "../../../lib/record-change"
import { unconfirmed } from "../../../lib/retry"
import type * as contract from "../contract"
import { sql } from "../db"
import { sendBinding } from "./partner-accounts"

type Request = RequestOf<typeof contract.unbindPartner>

/** Repeating a request whose outcome was unknown completes it. */
export async function unbindPartner({ program_id, partner_id }: Request) {
  const wasBound = await sql.begin(async sql => {
    const [unbound] = await sql<[{ workspace_id: number }?]>`
      update partner_bindings as binding
      set
        account_id = null,
        unbound_account_id = binding.account_id,
        version = binding.version + 1,
        is_told = false,
        try_after = now() + interval '5 seconds'
      from programs
      where programs.id = binding.program_id
        and (binding.program_id, binding.partner_id) = (${program_id}, ${partner_id})
        and binding.account_id is not null
      returning programs.workspace_id
    `
    if (!unbound) return false
    const change = { ...unbound, program_id, subject_id: partner_id, details: {} }
    await recordChange(sql, { ...change, action: "partner.unbind_account" })
    return true
  })
  if (!wasBound && !(await isUnsent({ program_id, partner_id }))) {
    throw new Fault("missing", "No account is bound to this partner.")
  }
  await sendBinding({ program_id, partner_id }).catch(unconfirmed) // the sweeper retries
  return {}
}

async function isUnsent({ program_id, partner_id }: Request): Promise<boolean> {
  const [unsent] = await sql`
    select 1
    from partner_bindings
    where (program_id, partner_id) = (${program_id}, ${partner_id})
      and account_id is null
      and not is_told
  `
  return unsent !== undefined
}
