import { type Damage, PLAIN_SALE, VISITOR } from "./damages"

const LEAD = "(select min(id) from tracking.affiliate_lead_events where not is_test)"
const CLICK = "(select min(id) from tracking.affiliate_click_events where not is_test)"
const in_customer = (damage: string, invariant: string, change: string, id = VISITOR): Damage => ({
  damage,
  invariant,
  sql: `update tracking.customers set ${change} where id = ${id}`,
})
const in_lead = (damage: string, invariant: string, change: string): Damage => ({
  damage,
  invariant,
  sql: `update tracking.affiliate_lead_events set ${change} where id = ${LEAD}`,
})
const in_click = (damage: string, invariant: string, change: string): Damage => ({
  damage,
  invariant,
  sql: `update tracking.affiliate_click_events set ${change} where id = ${CLICK}`,
})
const LINK_CLICKS = "Each referral link counts its clicks"
const OF_LINK = "Each click belongs to its link and its customer"
const ATTRIBUTED = "Each customer is attributed to one of its clicks"
const LEAD_OF_CLICK = "Each lead has the partner, link and origin of its click"
const SETTLED = "A customer is settled exactly by an attributed sale"
const CONVERTED = "Each customer with sales is converted by exactly one of them"
const SIGNED_UP = "Each customer that signed up has a lead of that time, and no other has one"
const ERASED = "No row names an erased customer"

/** Damage to clicks, customers and leads. */
export const TRACKING_DAMAGES: Damage[] = [
  {
    damage: "a link that counts a click too many",
    invariant: LINK_CLICKS,
    sql: `update tracking.referral_links set clicks = clicks + 1
      where id = (select min(id) from tracking.referral_links)`,
  },
  {
    damage: "a click that was deleted",
    invariant: LINK_CLICKS,
    sql: `delete from tracking.affiliate_click_events where id = ${CLICK}`,
  },
  {
    damage: "a partner who lacks a click",
    invariant: "Each partner-program record counts its clicks",
    sql: `update tracking.partner_programs set clicks = clicks - 1
      where partner_id = (select min(partner_id) from tracking.partner_programs)`,
  },
  {
    damage: "a link that was last clicked yesterday",
    invariant: "Each link was last clicked when its newest click came",
    sql: `update tracking.referral_links set last_clicked = last_clicked - interval '1 day'
      where id = (select min(id) from tracking.referral_links)`,
  },
  in_click(
    "a click moved to another link",
    OF_LINK,
    "link_id = (select max(id) from tracking.referral_links)",
  ),
  in_click("a click of a link that never was", OF_LINK, "link_id = 999999"),
  in_click(
    "a click given to another program's customer",
    OF_LINK,
    "customer_id = (select max(id) from tracking.customers)",
  ),
  in_click("a click with another click_id", OF_LINK, "click_id = 'clk_other'"),
  in_customer("a customer of a click that never was", ATTRIBUTED, "click_event_id = 999999"),
  in_customer("a customer moved to another partner", ATTRIBUTED, "partner_id = partner_id + 1"),
  in_customer("a customer with a longer window", ATTRIBUTED, "window_days = window_days + 30"),
  in_customer(
    "a customer attributed an hour later",
    ATTRIBUTED,
    "attributed_at = attributed_at + interval '1 hour'",
  ),
  in_lead("a lead moved to another partner", LEAD_OF_CLICK, "partner_id = partner_id + 1"),
  in_lead("a lead from another country", LEAD_OF_CLICK, "geo_country = 'AQ'"),
  in_lead("a lead of a click that never was", LEAD_OF_CLICK, "click_event_id = 999999"),
  in_customer(
    "a customer with a sale who is not settled",
    SETTLED,
    "is_settled = false",
    `(select customer_id from tracking.affiliate_sale_events where id = ${PLAIN_SALE})`,
  ),
  in_customer("a settled customer without a sale", SETTLED, "is_settled = true"),
  in_customer(
    "a conversion without a sale",
    CONVERTED,
    "customer_status = 'conversion', first_purchase_date = now()",
  ),
  in_customer(
    "a purchase dated back",
    "Each customer first bought when the sale that converted it was made",
    "first_purchase_date = first_purchase_date - interval '1 day'",
    "(select min(id) from tracking.customers where customer_status = 'conversion')",
  ),
  in_customer("a lead's status without a lead", SIGNED_UP, "customer_status = 'lead'"),
  {
    damage: "a lead that was deleted",
    invariant: SIGNED_UP,
    sql: `delete from tracking.affiliate_lead_events where id = ${LEAD}`,
  },
  in_lead("a lead dated back", SIGNED_UP, "lead_timestamp = lead_timestamp - interval '1 hour'"),
  {
    damage: "a sale that names an erased customer",
    invariant: ERASED,
    sql: `update tracking.affiliate_sale_events set customer_key = 'ada'
      where customer_id = (select min(customer_id) from tracking.erasures)`,
  },
  {
    damage: "a click that shows an erased customer's page",
    invariant: ERASED,
    sql: `update tracking.affiliate_click_events set page_url = 'https://shop.example/ada'
      where customer_id = (select min(customer_id) from tracking.erasures)`,
  },
  {
    damage: "an erased customer with an e-mail address",
    invariant: ERASED,
    sql: `update tracking.customers set email_hash = 'hash', email_masked = 'a***@x'
      where id = (select min(customer_id) from tracking.erasures)`,
  },
]
