import { type Damage, PLAIN_SALE, PROGRAM, sale, VISITOR } from "./damages"

const RENEWAL = sale("first_sale_id is not null")
const FIRST_OF_RENEWAL = sale("is_recurring and first_sale_id is null")
const in_sale = (damage: string, invariant: string, change: string, id = PLAIN_SALE): Damage => ({
  damage,
  invariant,
  sql: `update tracking.affiliate_sale_events set ${change} where id = ${id}`,
})
const SALE_OF_CLICK = "Each sale has the partner, link and origin of its click"
const CONVERTED = "Each customer with sales is converted by exactly one of them"
const WINDOW = "Each sale is attributed exactly if it was made inside its click's window"
const RENEWED = "Each renewal follows an attributed first sale of its subscription"
const TEST_EVENTS = "Test events touch no customer and no money"

/** Damage to the sales of tracking, and to what surrounds them. */
export const SALES_DAMAGES: Damage[] = [
  in_sale("a sale moved to another partner", SALE_OF_CLICK, "partner_id = partner_id + 1"),
  in_sale("a sale moved to another link", SALE_OF_CLICK, "link_id = link_id + 1"),
  in_sale("a sale on another device", SALE_OF_CLICK, "device_type = 'watch'"),
  in_sale("a sale with another click_id", SALE_OF_CLICK, "click_id = 'clk_other'"),
  in_sale("a first sale that no longer converts its customer", CONVERTED, "converts = false"),
  in_sale("a renewal that converts a second time", CONVERTED, "converts = true", RENEWAL),
  in_sale(
    "a sale left pending",
    "No sale is pending for more than 10 s",
    `state = 'pending', commission_id = null, acknowledged_by = null, final_xact = null,
      created_at = now() - interval '11 seconds'`,
  ),
  in_sale(
    "an attributed sale without a commission",
    "Each attributed sale that is not a renewal has a commission",
    "commission_id = null",
  ),
  in_sale(
    "a sale in its window that earns nothing",
    WINDOW,
    "is_attributed = false, commission_id = null",
  ),
  in_sale(
    "a sale long after its window that earns",
    WINDOW,
    "sale_date = sale_date + interval '400 days'",
  ),
  in_sale("a sale with a longer window", WINDOW, "window_days = window_days + 1"),
  in_sale("a sale of an older click", WINDOW, "click_age_days = 12"),
  in_sale("a renewal of a sale that never was", RENEWED, "first_sale_id = 999999", RENEWAL),
  in_sale(
    "a renewal of another customer's sale",
    RENEWED,
    `first_sale_id = ${PLAIN_SALE}`,
    RENEWAL,
  ),
  in_sale("a renewal of another subscription", RENEWED, "subscription_id = 'other'", RENEWAL),
  {
    damage: "a subscription without its first sale",
    invariant: RENEWED,
    sql: `delete from tracking.affiliate_sale_events where id = ${FIRST_OF_RENEWAL}`,
  },
  in_sale("a renewal for another partner", RENEWED, "partner_id = partner_id - 1", RENEWAL),
  in_sale(
    "a commission that two sales name",
    "No two sales name the same commission",
    `commission_id = (
      select max(commission_id) from tracking.affiliate_sale_events where program_id = ${PROGRAM}
    )`,
  ),
  {
    damage: "a test sale of a real customer",
    invariant: TEST_EVENTS,
    sql: `update tracking.affiliate_sale_events set customer_id = ${VISITOR} where is_test`,
  },
  {
    damage: "a refund of a payment taken twice",
    invariant: "The refunds of a payment take its total once",
    sql: `insert into tracking.processor_refunds (
        program_id, refund_id, payment, event, is_total, amount_cents, taken_cents
      )
      values
        (${PROGRAM}, 're_1', 'pi_1', 1, false, 500, 500),
        (${PROGRAM}, 're_2', 'pi_1', 1, true, 500, 500)`,
  },
]
