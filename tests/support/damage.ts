import type postgres from "postgres"

/**
 * Damages rows as only a superuser can: past all triggers and foreign keys. Returns, for each
 * damage, what the audit must report.
 */
export const damageRows = (sql: postgres.Sql) =>
  sql.begin(async sql => {
    await sql`set local session_replication_role = replica`
    return {
      "a ledger entry altered": await alterEntry(sql),
      "a balance raised": await raiseBalance(sql),
      "a commission removed": await removeCommission(sql),
      "a sale removed": await removeSale(sql),
      "a sale left pending": await leavePending(sql),
      "a notice of a refund removed": await removeNotice(sql),
      "a notice of a rejection removed": await removeRejection(sql),
      "a link's counter raised": await raiseLink(sql),
      "a partner's counter raised": await raisePartner(sql),
      "a rollup changed": await changeRollup(sql),
      "a breakdown changed": await changeBreakdown(sql),
      "an event lost, rollups and all": await loseClick(sql),
    }
  }) as Promise<Record<string, string>>

type Sql = postgres.TransactionSql

async function alterEntry(sql: Sql) {
  const [entry] = await sql`
    update commissions.ledger
    set amount_cents = amount_cents + 1
    where id = (select min(id) from commissions.ledger where kind = 'commission')
    returning commission_id
  `
  return `Commission ${entry!.commission_id} of `
}

async function raiseBalance(sql: Sql) {
  const [raised] = await sql`
    update commissions.balances as balance
    set balance_cents = balance_cents + 7
    where (program_id, partner_id, currency) = (
      select program_id, partner_id, currency
      from commissions.balances
      order by partner_id desc
      limit 1
    )
    returning partner_id, program_id, balance_cents
  `
  const { partner_id, program_id, balance_cents } = raised!
  return `Partner ${partner_id} of program ${program_id} has a balance of ${balance_cents} `
}

/** The sale of a pending commission, counted from the newest, that no other damage touches. */
const plainSale = (sql: Sql, offset: number) => sql`
  select sale.id
  from tracking.affiliate_sale_events as sale
  join commissions.commissions as commission on commission.id = sale.commission_id
  where commission.status = 'pending'
  order by sale.id desc
  limit 1
  offset ${offset}
`

async function removeCommission(sql: Sql) {
  const [removed] = await sql`
    delete from commissions.commissions
    where sale_id = (${plainSale(sql, 0)})
    returning id, sale_id
  `
  return `Sale ${removed!.sale_id} names commission ${removed!.id}, which does not exist.`
}

async function removeSale(sql: Sql) {
  const [removed] = await sql`
    delete from tracking.affiliate_sale_events
    where id = (${plainSale(sql, 1)})
    returning id, commission_id
  `
  return `Commission ${removed!.commission_id} names sale ${removed!.id}, which does not exist.`
}

async function leavePending(sql: Sql) {
  const [left] = await sql`
    update tracking.affiliate_sale_events
    set
      state = 'pending',
      commission_id = null,
      acknowledged_by = null,
      final_xact = null,
      created_at = now() - interval '11 seconds',
      try_after = now() + interval '5 minutes'
    where id = (${plainSale(sql, 2)})
    returning id
  `
  return `Sale ${left!.id} has been pending since `
}

async function removeNotice(sql: Sql) {
  const [removed] = await sql`
    delete from commissions.notifications
    where id = (select min(id) from commissions.notifications where refund_id is not null)
    returning refund_id
  `
  return `Refund ${removed!.refund_id} of commission `
}

async function removeRejection(sql: Sql) {
  const [removed] = await sql`
    delete from commissions.notifications
    where id = (
      select max(id)
      from commissions.notifications
      where kind = 'commission_rejected'
    )
    returning commission_id
  `
  return `Commission ${removed!.commission_id} is rejected and was `
}

async function raiseLink(sql: Sql) {
  await sql`
    update tracking.referral_links
    set clicks = clicks + 1
    where id = (select min(id) from tracking.referral_links)
  `
  const [raised] = await sql`select id, clicks from tracking.counted_links order by id limit 1`
  return `Referral link ${raised!.id} counts ${raised!.clicks} clicks but has `
}

async function raisePartner(sql: Sql) {
  const [raised] = await sql`
    update tracking.partner_programs
    set clicks = clicks + 1
    where partner_id = (select max(partner_id) from tracking.partner_programs)
    returning partner_id, program_id
  `
  return `Partner ${raised!.partner_id} of program ${raised!.program_id} counts `
}

async function changeRollup(sql: Sql) {
  const [changed] = await sql`
    update reporting.daily_money
    set commission_cents = commission_cents + 1
    where program_id = (select min(program_id) from reporting.daily_money)
      and currency = 'JPY'
    returning program_id, day::text
  `
  return `Program ${changed!.program_id} on ${changed!.day} has JPY `
}

async function changeBreakdown(sql: Sql) {
  const [changed] = await sql`
    update reporting.daily_breakdown
    set leads = leads + 1
    where dimension = 'device' and program_id = (select min(program_id) from reporting.daily)
    returning program_id, day::text
  `
  return `Program ${changed!.program_id} on ${changed!.day}, by device `
}

async function loseClick(sql: Sql) {
  const [lost] = await sql`
    delete from reporting.events
    where (timestamp, id) = (
      select timestamp, id
      from reporting.events
      where event_type = 'click'
      order by program_id desc
      limit 1
    )
      and event_type = 'click'
    returning program_id, timestamp, id
  `
  const { program_id, timestamp, id } = lost!
  for (const [table, unit] of [
    ["daily", "day"],
    ["hourly", "hour"],
  ] as const) {
    await sql`
      update ${sql(`reporting.${table}`)}
      set clicks = clicks - 1
      where program_id = ${program_id}
        and ${sql(unit)} = date_trunc(${unit}, ${timestamp}::timestamptz, 'UTC')
    `
  }
  return `Click ${id} is missing in reporting.`
}
