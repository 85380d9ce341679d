import { type Damage, PROGRAM } from "./damages"

const in_event = (feed: string, damage: string, type: string, change: string): Damage => ({
  damage,
  invariant: copied(feed),
  sql: `update reporting.events set ${change}
    where event_type = '${type}'
      and id = (select min(id) from reporting.events where event_type = '${type}')`,
})
const copied = (feed: string) => `Reporting has the feed "${feed}" as its owner has it`

/** Damage to the sums of reporting, and to its copies of what others own. */
export const REPORTING_DAMAGES: Damage[] = [
  {
    damage: "a day's sum that was changed",
    invariant: "Each day's rollup is the sum of its events",
    sql: "update reporting.daily set leads = leads + 1",
  },
  {
    damage: "an hour's sum that was changed",
    invariant: "Each hour's rollup is the sum of its events",
    sql: "update reporting.hourly set clicks = clicks + 1",
  },
  {
    damage: "a day's money that was changed",
    invariant: "Each day's money is the sum of its sales and commissions",
    sql: "update reporting.daily_money set commission_cents = commission_cents + 1",
  },
  {
    damage: "a breakdown that was changed",
    invariant: "Each day's breakdown is the sum of its events and commissions",
    sql: "update reporting.daily_breakdown set leads = leads + 1 where dimension = 'device'",
  },
  {
    damage: "a day's sales of a country that were changed",
    invariant: "Each day's breakdown is the sum of its events and commissions",
    sql: "update reporting.daily_sales set sales = sales + 1 where dimension = 'country'",
  },
  {
    damage: "a commission broken down by another device than its sale",
    invariant: "Each commission has the breakdown values of its sale",
    sql: `update reporting.commissions set device_type = 'watch'
      where id = (select min(id) from reporting.commissions)`,
  },
  {
    damage: "a conversion dated back",
    invariant: "Each conversion has the time of the sale that converted its customer",
    sql: `update reporting.conversions set converted_at = converted_at - interval '1 day'
      where customer_id = (select min(customer_id) from reporting.conversions)`,
  },
  {
    damage: "a click that reporting has lost",
    invariant: copied("clicks"),
    sql: `delete from reporting.events
      where event_type = 'click'
        and id = (select min(id) from reporting.events where event_type = 'click')`,
  },
  in_event("clicks", "a click with another page", "click", "page_url = 'https://x.example'"),
  {
    damage: "two clicks that swapped their partners",
    invariant: copied("clicks"),
    sql: `update reporting.events as event set partner_id = other.partner_id
      from (
        select distinct on (partner_id) id, partner_id from reporting.events
        where event_type = 'click' order by partner_id, id limit 2
      ) as one
      join (
        select distinct on (partner_id) id, partner_id from reporting.events
        where event_type = 'click' order by partner_id, id limit 2
      ) as other on other.id <> one.id
      where event.id = one.id and event_type = 'click'`,
  },
  in_event("leads", "a lead with another key", "lead", "customer_key = 'other'"),
  in_event("sales", "a sale with another amount", "conversion", "amount_cents = amount_cents + 1"),
  in_event("sales", "a sale with another transaction", "conversion", "transaction_id = 'other'"),
  in_event("sales", "a sale that no longer converts", "conversion", "converts = not converts"),
  {
    damage: "a conversion after another click",
    invariant: copied("sales"),
    sql: "update reporting.conversions set last_click_event_id = last_click_event_id - 1",
  },
  {
    damage: "a partner whom reporting has lost",
    invariant: copied("partners"),
    sql: "delete from reporting.partners where id = (select min(id) from reporting.partners)",
  },
  {
    damage: "a commission with another amount in reporting",
    invariant: copied("commissions"),
    sql: `update reporting.commissions set amount_cents = amount_cents + 1
      where id = (select min(id) from reporting.commissions)`,
  },
  {
    damage: "an erasure that reporting has forgotten",
    invariant: copied("erasures"),
    sql: "delete from reporting.erased_customers",
  },
  {
    damage: "a sum of dropped clicks that its owner does not have",
    invariant: copied("dropped_clicks"),
    sql: `insert into reporting.dropped_clicks (
        program_id, dimension, value, starts_at, clicks, ids
      )
      values (${PROGRAM}, 'hour', '', '2020-01-01', 5, 15)`,
  },
  {
    damage: "a row of a feed that is set aside",
    invariant: "No row that reporting reads is set aside",
    sql: `insert into reporting.set_aside (feed, row, reason)
      values ('sales', '{"id": 1, "program_id": 1}', 'it has no currency')`,
  },
  {
    damage: "an audit entry that is set aside",
    invariant: "No row that identity reads is set aside",
    sql: `insert into identity.set_aside (feed, row, reason)
      values ('tracking', '{"id": 1, "program_id": 1}', 'it has no actor')`,
  },
]
