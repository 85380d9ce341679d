import { call } from "../../../lib/bus/bus"
import type { Transaction } from "../../../lib/db/database"
import { isDue } from "../../../lib/db/due"
import { Fault } from "../../../lib/fault"
import { log } from "../../../lib/log"
import { retryOnSilence } from "../../../lib/retry"
import { putPartnerAccount } from "../../commissions/contract"
import { sql } from "../db"

const BINDINGS_MAX = 20

type Partner = { program_id: number; partner_id: number }

/** Binds a partner to the user's account. Throws "conflict" if the partner already has one. */
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
    insert into partner_bindings (program_id, partner_id, account_id)
    select ${program_id}, ${partner_id}, id
    from partner_accounts
    where user_id = ${user_id}
    on conflict (program_id, partner_id) do nothing
  `
  if (bound.count === 0) throw new Fault("conflict", "The partner already has an account.")
}

/** Sends a partner's account to commissions. Safe to repeat. */
export async function sendBinding({ program_id, partner_id }: Partner) {
  const [binding] = await sql<[{ account_id: number }]>`
    select account_id
    from partner_bindings
    where (program_id, partner_id) = (${program_id}, ${partner_id})
  `
  const message = { program_id, partner_id, account_id: binding.account_id }
  await retryOnSilence(() => call(putPartnerAccount, message))
  await sql`
    update partner_bindings
    set is_told = true
    where (program_id, partner_id) = (${program_id}, ${partner_id})
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
