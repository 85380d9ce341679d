-- Creates the commission of a sale and completes the sale. Follows sale.sql or sale-statement.sql.
with terms as (
  select policy.id as policy_id, policy.hold_days, policy.auto_approve, policy.rate_bps
  from commissions.partner_programs as partner
  join commissions.programs as program using (program_id)
  cross join lateral (
    select id, hold_days, auto_approve, kind, rate_bps, amount_cents, products
    from commissions.policies
    where group_id = partner.group_id and (effective_from <= now() or version = 1)
    order by version desc
    limit 1
  ) as policy
  where partner.program_id = 1 and partner.partner_id = :partner_id and partner.version > 0
),
created as (
  insert into commissions.commissions (
    sale_id, program_id, partner_id, transaction_id, sale_date,
    policy_id, auto_approve, hold_ends_at, amount_cents, currency
  )
  select
    :sale_id, 1, :partner_id, 'order-' || :run || '-' || :client_id || '-' || :n, now(),
    policy_id, auto_approve, now() + make_interval(hours => 24 * hold_days),
    round(4999::numeric * rate_bps / 10000), 'USD'
  from terms
  on conflict (sale_id) do nothing
  returning id, program_id, partner_id, currency, amount_cents
),
entered as (
  insert into commissions.ledger (
    program_id, partner_id, currency, commission_id, kind, amount_cents
  )
  select program_id, partner_id, currency, id, 'commission', amount_cents
  from created
),
balanced as (
  insert into commissions.balances as balance (program_id, partner_id, currency, balance_cents)
  select program_id, partner_id, currency, amount_cents
  from created
  on conflict (program_id, partner_id, currency) do update
    set balance_cents = balance.balance_cents + excluded.balance_cents
)
select id as commission_id from created \gset
with converted as (
  update customers
  set customer_status = 'conversion', first_purchase_date = now()
  where id = :customer_id and customer_status <> 'conversion'
  returning id
)
update affiliate_sale_events
set
  state = 'complete', commission_id = :commission_id,
  converts = converts or exists (select from converted),
  acknowledged_by = coalesce(acknowledged_by, md5(:n::text)),
  final_xact = coalesce(final_xact, pg_current_xact_id())
where id = :sale_id
returning acknowledged_by;
