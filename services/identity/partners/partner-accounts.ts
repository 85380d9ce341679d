import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { isDue } from "../../../lib/db/due"
import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { retryOnSilence } from "../../../lib/retry"
import { putPartnerAccount } from "../../commissions/contract"
import { sql } from "../db"

const BINDINGS_MAX = 20

type Partner = { program_id: number; partner_id: number }
type Binding = RequestOf<typeof putPartnerAccount> & { version: number }

/**
 * Binds a partner to the user's account. Throws "conflict" if the partner already has one, or has
 * lost one and commissions does not know it yet.
 */
export async function bindPartner(
  sql: Transaction,
  user_id: number,
  { program_id, partner_id }: Partner,
) {
  await sql`
    insert into partner_accounts (user_id)
    values (${user_id})
    on conflict (user_id) do nothing
  `
  const bound = await sql`
    insert into partner_bindings as binding (program_id, partner_id, account_id)
    select ${program_id}, ${partner_id}, id
    from partner_accounts
    where user_id = ${user_id}
    on conflict (program_id, partner_id) do update
    set
      account_id = excluded.account_id,
      unbound_account_id = null,
      version = binding.version + 1,
      is_told = false,
      try_after = excluded.try_after
    where binding.account_id is null and binding.is_told
  `
  if (bound.count === 0) throw new Fault("conflict", "The partner already has an account.")
}

/** Sends a partner's account, or that it has none any more, to commissions. Safe to repeat. */
export async function sendBinding({ program_id, partner_id }: Partner) {
  const [binding] = await sql<[Binding]>`
    select program_id, partner_id, account_id, unbound_account_id, version
    from partner_bindings
    where (program_id, partner_id) = (${program_id}, ${partner_id})
  `
  await retryOnSilence(() => call(putPartnerAccount, binding))
  await sql`
    update partner_bindings
    set is_told = true
    where (program_id, partner_id, version) = (${program_id}, ${partner_id}, ${binding.version})
  `
}

/** Sends bindings that a crash or an outage left unsent. */
export async function sweepBindings() {
  const bindings = await claimUnsent()
  for (const binding of bindings) {
    await sendBinding(binding).catch(err => {
      log.warn({ err, ...binding }, "Commissions has not received the account of a partner yet.")
    })
  }
  return bindings.length
}

/** A claim lasts five seconds: it holds no lock and keeps other replicas off the same binding. */
const claimUnsent = () => sql<Partner[]>`
  update partner_bindings
  set try_after = now() + interval '5 seconds'
  where (program_id, partner_id) in (
    select program_id, partner_id
    from partner_bindings
    where not is_told and ${isDue(sql)}
    order by try_after
    limit ${BINDINGS_MAX}
    for update skip locked
  )
  returning program_id, partner_id
`
