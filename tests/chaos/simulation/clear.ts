import type postgres from "postgres"

const SEEDS_UNTIL_TIDY = 50

let cleared = 0

/**
 * Empties the books; ids begin anew, so that a seed's history is the same whatever came before.
 * Deleting is fast, but leaves the dead rows where they are: every now and then they go as well.
 */
export async function clear(superuser: postgres.Sql) {
  if (cleared++ % SEEDS_UNTIL_TIDY === 0) {
    await superuser.unsafe(`truncate ${BOOKS.join()} restart identity`)
    return
  }
  await superuser.begin(async sql => {
    await sql`set local session_replication_role = replica` // in whatever order
    await sql.unsafe(BOOKS.map(table => `delete from ${table}`).join(";"))
    await sql`
      select setval(seqrelid::regclass, 1, false)
      from pg_sequence
      where seqrelid::regclass::text ~ '^(tracking|commissions)[.]'
    `
  })
}

const BOOKS = [
  "tracking.programs",
  "tracking.partner_programs",
  "tracking.referral_links",
  "tracking.customers",
  "tracking.affiliate_lead_events",
  "tracking.affiliate_sale_events",
  "commissions.programs",
  "commissions.groups",
  "commissions.policies",
  "commissions.partners",
  "commissions.partner_programs",
  "commissions.commissions",
  "commissions.refunds",
  "commissions.ledger",
  "commissions.balances",
  "commissions.notifications",
]
