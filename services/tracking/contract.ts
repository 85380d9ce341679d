import { type Static, Type } from "@sinclair/typebox"
import { auditOf, feedTotalsOf } from "../../lib/audit"
import { operation } from "../../lib/bus/contract"
import { feedsOf } from "../../lib/feeds/feed"
import {
  Cents,
  Email,
  Flag,
  Id,
  LinkCode,
  ListOf,
  Name,
  Nullable,
  OneOf,
  Reason,
  Slice,
  Time,
} from "../../lib/fields"
import { healthOf } from "../../lib/health"
import { entriesOf } from "../../lib/record-change"

// What the advertiser's pages and backends send.

const Text = Type.String({ description: "a text" })
const TestMode = { test_mode: Type.Optional(Flag) }
const StatedProgram = Type.Union([Id, Type.String({ pattern: "^[1-9]\\d{0,14}$" })], {
  description: "the number of a program, or its digits",
})

/** The body of POST /track/click (specification 4.2). Texts too long are cut, never refused. */
export const Click = Type.Object({
  affiliate_url: Type.Optional(
    Type.RegExp(/^[\s\S]{0,8192}$/u, { description: "a URL of at most 8,192 characters" }),
  ),
  page_url: Type.Optional(Text),
  page_title: Type.Optional(Text),
  referrer_url: Type.Optional(Text),
  session_id: Type.Optional(Text),
  user_agent: Type.Optional(Text),
  screen_resolution: Type.Optional(Type.Unknown()), // malformed: null (contract 1)
  viewport_size: Type.Optional(Type.Unknown()),
  language: Type.Optional(Type.Unknown()),
  timezone: Type.Optional(Type.Unknown()),
  existing_click_id: Type.Optional(Name),
  additional_data: Type.Optional(
    Type.Object(
      { ...TestMode, program_id: Type.Optional(StatedProgram) },
      { description: "an object" },
    ),
  ),
})
export type Click = Static<typeof Click>

/** The body of POST /track/lead (specification 4.3). */
export const Lead = Type.Object({
  click_id: Type.Optional(Name),
  customer_key: Type.Optional(Name),
  email: Type.Optional(Email),
  additional_data: Type.Optional(
    Type.Object(
      {
        ...TestMode,
        program_id: Type.Optional(StatedProgram),
        event_name: Type.Optional(Name),
      },
      { description: "an object" },
    ),
  ),
})
export type Lead = Static<typeof Lead>

const SaleFields = {
  transaction_id: Name,
  amount_cents: Cents,
  customer_key: Type.Optional(Name), // wins over click_id
  click_id: Type.Optional(Name),
  currency: Type.Optional(
    Type.String({ pattern: "^[A-Za-z]{3}$", description: "an ISO 4217 code like USD" }),
  ),
  sale_type: Type.Optional(OneOf("payment", "subscription")),
  line_items: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "an object" }),
  ),
  is_recurring: Type.Optional(Flag),
  subscription_id: Type.Optional(Name),
  subscription_interval: Type.Optional(OneOf("monthly", "quarterly", "annual")),
  product_id: Type.Optional(Name),
  additional_data: Type.Optional(Type.Object(TestMode, { description: "an object" })),
}

/** The body of POST /track/sale (specification 4.4). Its names reach down into the table. */
export const Sale = Type.Object(SaleFields)
export type Sale = Static<typeof Sale>

/** The same in test mode: what identifies and counts may be left out. */
export const TestSale = Type.Object({
  ...SaleFields,
  transaction_id: Type.Optional(Name),
  amount_cents: Type.Optional(Cents),
})
export type TestSale = Static<typeof TestSale>

/** The body of POST /track/refund (specification 4.5). An amount of 0, or none: all of it. */
export const Refund = Type.Object({
  transaction_id: Name,
  refund_amount_cents: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "0 or a positive integer, in the smallest unit of the currency",
    }),
  ),
  refund_reason: Type.Optional(Reason),
  refund_id: Type.Optional(Name), // tells several partial refunds of one sale apart
  additional_data: Type.Optional(Type.Object(TestMode, { description: "an object" })),
})
export type Refund = Static<typeof Refund>

/** The same in test mode. */
export const TestRefund = Type.Partial(Refund)

// Tracking.

/**
 * Records a click and answers who is to be attributed (4.2). Not safe to repeat: each counts.
 * Clicks that wait at one time travel together; none of them is answered for another's fault.
 * `address` is already truncated; it places the visitor and is not kept.
 * `is_recorded` false: the link, its program or its partner is inactive, and nothing was written.
 * Faults: invalid (no such link, or its partner or program is gone), unavailable.
 */
export const recordClick = operation("tracking.click.record", {
  is_packed: true,
  request: Type.Object({
    code: Type.String(), // the aff value, whatever it is
    click: Click,
    address: Nullable(Type.String()),
  }),
  reply: Type.Union([
    Type.Object({ is_recorded: Type.Literal(false) }),
    Type.Object({
      is_recorded: Type.Literal(true),
      click_id: Type.String(),
      partner_code: Type.String(),
      cookie_window_days: Type.Integer(),
    }),
  ]),
})

/**
 * Moves a customer to lead, and binds customer_key and e-mail to it (4.3, contract 4). Repeated,
 * it makes no second lead. `program_id` is that of the token; null: there was none.
 * `is_provisional`: the program takes leads from backends only, and nothing was bound.
 * Faults: invalid (no such customer, another program's, converted already, another key's).
 */
export const recordLead = operation("tracking.lead.record", {
  request: Type.Object({ program_id: Nullable(Id), lead: Lead }),
  reply: Type.Object({ is_provisional: Type.Boolean() }),
})

/** Why a sale earned no commission. */
const NoCommissionReason = OneOf("attribution_window_expired", "commission_duration_ended")

/**
 * Records a sale of `program_id` and the commission it earns, once for each transaction_id (4.4).
 * `request_id` names the HTTP request. Under the same one, the same question has the same answer;
 * of several that race, one is told of success and the others "duplicate".
 * `commission_id` null: none was earned, and `reason` says why.
 * Faults: invalid (no such customer, or another program's, or without a partner), duplicate,
 * failed (no commission yet) and unavailable (in doubt): after these two, try again.
 */
export const recordSale = operation("tracking.sale.record", {
  request: Type.Object({ request_id: Type.String(), program_id: Id, sale: Sale }),
  reply: Type.Object({
    sale_id: Id,
    commission_id: Nullable(Id),
    reason: Nullable(NoCommissionReason),
    click_age_days: Type.Integer(), // whole days between the attributing click and the sale
    window_days: Type.Integer(),
  }),
})

/**
 * Refunds a sale of `program_id`, in whole or in part, and takes back what it earned (4.5).
 * The same `request_id` has the same answer. `deduction_cents` is in `currency`, before the clamp.
 * Faults: missing (no such sale in the program), invalid (more than the sale, or than remains),
 * failed and unavailable: try again.
 */
export const refundSale = operation("tracking.sale.refund", {
  request: Type.Object({ request_id: Type.String(), program_id: Id, refund: Refund }),
  reply: Type.Union([
    Type.Object({
      status: OneOf("reversed", "refunded"),
      commission_id: Id,
      deduction_cents: Type.Integer(),
      currency: Type.String(),
    }),
    Type.Object({ status: Type.Literal("no_commission") }),
    Type.Object({ status: Type.Literal("skipped"), commission_id: Id, reason: Type.String() }),
  ]),
})

/** An event as Stripe signs it. What stands in `object` follows from `type` and the API version. */
export const StripeEvent = Type.Object({
  id: Type.RegExp(/^[!-~]{1,255}$/, { description: "the id of an event (evt_…)" }),
  type: Type.RegExp(/^[!-~]{1,255}$/, { description: "the type of an event, like invoice.paid" }),
  livemode: Type.Optional(Flag), // false: it is of Stripe's test mode
  data: Type.Object(
    { object: Type.Record(Type.String(), Type.Unknown(), { description: "an object" }) },
    { description: "an object" },
  ),
})
export type StripeEvent = Static<typeof StripeEvent>

/**
 * Stores what a verified event of Stripe's says, once for each event id, and applies it: a paid
 * subscription invoice or checkout session as a sale (recordSale), refunds as refunds of their
 * sale (refundSale), each once, however many events tell of it. Once answered, it comes about:
 * a refund when its sale is there. Safe to repeat. Faults: unavailable.
 */
export const recordStripeEvent = operation("tracking.stripe_event.record", {
  request: Type.Object({ program_id: Id, event: StripeEvent }),
  reply: Type.Object({}),
})

/**
 * Stores a click, lead or sale with is_test true: it touches no customer, counter, commission
 * or metric (specification 1.8). The program is `program_id`, else that of the link `code`.
 * Faults: invalid (no program found).
 */
export const recordTestEvent = operation("tracking.test_event.record", {
  request: Type.Object({
    program_id: Nullable(Id),
    code: Nullable(Type.String()),
    event: Type.Union([
      Type.Object({ click: Click }),
      Type.Object({ lead: Lead }),
      Type.Object({ sale: TestSale }),
    ]),
  }),
  reply: Type.Object({ event_id: Id, program_id: Id }),
})

/** The test sale that a test refund names, or null (contract 4). It changes nothing. */
export const findTestSale = operation("tracking.test_sale.find", {
  request: Type.Object({ program_id: Id, transaction_id: Nullable(Name) }),
  reply: Type.Object({ event_id: Nullable(Id) }),
})

/** Everything stored of a sale (contract 3). Faults: missing. */
export const showSale = operation("tracking.sale.show", {
  request: Type.Object({ program_id: Id, sale_id: Id }),
  reply: Type.Object({
    id: Id,
    transaction_id: Nullable(Type.String()), // null: a test sale may have none
    program_id: Id,
    click_id: Nullable(Type.String()),
    customer_key: Nullable(Type.String()),
    amount_cents: Nullable(Type.Integer()),
    currency: Type.String(),
    sale_type: Type.String(),
    payment_status: Type.String(),
    is_recurring: Type.Boolean(),
    subscription_id: Nullable(Type.String()),
    subscription_interval: Nullable(Type.String()),
    product_id: Nullable(Type.String()),
    line_items: Nullable(Type.Record(Type.String(), Type.Unknown())),
    is_test: Type.Boolean(),
    sale_date: Time,
    created_at: Time,
    commission_id: Nullable(Id),
  }),
})

const NullableText = Nullable(Type.String())

/**
 * A customer (specification 2.5): how far it came, and to whom it is attributed now. Names are
 * null once it is erased.
 */
export const Customer = Type.Object({
  id: Id,
  program_id: Id,
  click_id: NullableText,
  customer_key: NullableText, // also null before a lead or sale names one
  customer_status: OneOf("click", "lead", "conversion"),
  email_masked: NullableText, // also null before a lead sends one
  signup_date: Nullable(Time), // null: no lead was recorded
  first_purchase_date: Nullable(Time), // null: no sale was recorded
  partner_id: Id,
  link_id: Id,
  click_event_id: Id, // the attributing click
  attributed_at: Time, // when that was clicked
  cookie_window_days: Type.Integer(), // for so long from then on
  created_at: Time,
})

/**
 * Everything stored of a click (contract 4), as it was sent or worked out; null: it was neither, or
 * its customer was erased. Of a test click click_id, partner_id, link_id, cookie_window_days and
 * customer are null. `click_event_id` is the id of event listings. Faults: missing.
 */
export const showClick = operation("tracking.click.show", {
  request: Type.Object({ program_id: Id, click_event_id: Id }),
  reply: Type.Object({
    id: Id,
    program_id: Id,
    stated_program_id: Nullable(Id), // additional_data.program_id, whatever it says
    click_id: NullableText,
    partner_id: Nullable(Id),
    link_id: Nullable(Id),
    cookie_window_days: Nullable(Type.Integer()), // as it was answered
    affiliate_url: NullableText,
    page_url: NullableText,
    page_title: NullableText,
    referrer_url: NullableText,
    session_id: NullableText,
    existing_click_id: NullableText,
    user_agent: NullableText,
    screen_resolution: NullableText,
    viewport_size: NullableText,
    language: NullableText,
    timezone: NullableText,
    geo_country: NullableText,
    geo_region: NullableText,
    geo_city: NullableText,
    device_type: NullableText,
    device_os: NullableText,
    browser_name: NullableText,
    sub_id: NullableText, // the partner's own label in the affiliate_url
    is_test: Type.Boolean(),
    click_timestamp: Time,
    created_at: Time,
    customer: Nullable(Customer),
  }),
})

/**
 * Everything stored of a lead, as showClick has it. Of a test lead partner_id, link_id,
 * click_event_id, session_id, page_url and customer are null. `lead_event_id` is that of event
 * listings. Faults: missing.
 */
export const showLead = operation("tracking.lead.show", {
  request: Type.Object({ program_id: Id, lead_event_id: Id }),
  reply: Type.Object({
    id: Id,
    program_id: Id,
    stated_program_id: Nullable(Id),
    click_id: NullableText,
    customer_key: NullableText,
    email_masked: NullableText,
    event_name: NullableText,
    partner_id: Nullable(Id),
    link_id: Nullable(Id),
    click_event_id: Nullable(Id), // the attributing click
    session_id: NullableText, // of that click, as is page_url
    page_url: NullableText,
    is_test: Type.Boolean(),
    lead_timestamp: Time,
    created_at: Time,
    customer: Nullable(Customer),
  }),
})

const NamedCustomer = Type.Object({ program_id: Id, customer_key: Name })

/** Whether a customer of the program has this key (404 comes before 400). Faults: missing. */
export const findCustomer = operation("tracking.customer.find", {
  request: NamedCustomer,
  reply: Type.Object({ customer_id: Id }),
})

/** The customer of the program that has this key. Faults: missing. */
export const showCustomer = operation("tracking.customer.show", {
  request: NamedCustomer,
  reply: Customer,
})

/**
 * Removes whatever names a customer, its device, its way or its subscription, from all that is
 * stored of it. What the books count stays: that there were clicks, a lead and sales, when, of
 * which partner, and for how much. From then on the key, its click_id and its e-mail address name
 * nobody; a later click or lead makes a new customer. Repeated, it finds nobody. Faults: missing.
 */
export const eraseCustomer = operation("tracking.customer.erase", {
  request: NamedCustomer,
  reply: Type.Object({ customer_id: Id, erased_at: Time }),
})

const Step = Type.Object({
  is_complete: Type.Boolean(), // a real event has been recorded
  test_events: Type.Integer(),
  latest: Nullable(Type.Object({ id: Id, timestamp: Time, created_at: Time })), // of the tests
})

/** How far the integration of a program has come, as of `now` (contract 4). Faults: none. */
export const showStatus = operation("tracking.status.show", {
  request: Type.Object({ program_id: Id }),
  reply: Type.Object({ steps: Type.Object({ click: Step, lead: Step, sale: Step }), now: Time }),
})

// Links.

const WebUrl = Type.String({
  maxLength: 2_048,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+",
  description: "a URL of at most 2,048 characters with http or https",
})

export const NewLink = Type.Object({
  partner_id: Id,
  code: Type.Optional(LinkCode), // made up when absent
  destination_url: Type.Optional(Nullable(WebUrl)),
})
export const LinkChange = Type.Object({
  status: Type.Optional(OneOf("active", "inactive")),
  destination_url: Type.Optional(Nullable(WebUrl)),
})

export const Link = Type.Object({
  id: Id,
  code: Type.String(),
  status: Type.String(),
  destination_url: Nullable(Type.String()),
  clicks: Type.Integer(),
  last_clicked: Nullable(Time),
  partner_id: Id,
  created_at: Time,
})
export type Link = Static<typeof Link>

/** Faults: invalid (no such partner in the program), conflict (the code is taken). */
export const createLink = operation("tracking.link.create", {
  request: Type.Object({ program_id: Id, link: NewLink }),
  reply: Link,
})

/** Faults: missing. */
export const updateLink = operation("tracking.link.update", {
  request: Type.Object({ program_id: Id, link_id: Id, change: LinkChange }),
  reply: Link,
})

export const listLinks = operation("tracking.link.list", {
  request: Type.Object({ program_id: Id, slice: Slice }),
  reply: ListOf(Link),
})

/** Whether the link is one of the program (404 comes before 400). Faults: missing. */
export const showLink = operation("tracking.link.show", {
  request: Type.Object({ program_id: Id, link_id: Id }),
  reply: Link,
})

/**
 * The clicks of partners, and their links, in the order of their ids and after `after_link_id`: as
 * many links as fit into a message. `more_after`: the last of them; null: there are no more.
 */
export const showPartnerLinks = operation("tracking.partner_links.show", {
  request: Type.Object({
    program_id: Id,
    partner_ids: Type.Array(Id),
    after_link_id: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Type.Object({
    partners: Type.Array(
      Type.Object({ partner_id: Id, clicks: Type.Integer(), links: Type.Array(Link) }),
    ),
    more_after: Type.Optional(Nullable(Id)), // an older version does not go on
  }),
})

// What owners tell tracking of their changes before they answer them.

/**
 * Keeps what a click and a sale must know of a program. Safe to repeat; an older version than
 * the one known is ignored. Faults: conflict (a sale exists, and this is another currency).
 */
export const putProgram = operation("tracking.program.put", {
  request: Type.Object({
    program_id: Id,
    version: Id,
    status: OneOf("active", "paused", "archived"),
    currency: Type.String(),
    cookie_window_days: Type.Integer(),
    attribution_model: OneOf("last_click", "first_click"),
    lead_auth: OneOf("browser", "server"),
  }),
  reply: Type.Object({}),
})

/**
 * Keeps what a click and a sale must know of a partner-program record. Safe to repeat; an older
 * version than the one known is ignored. With `first_link`, the partner is new and gets it
 * (code null: made up). Faults: conflict (the code is taken), and then nothing was written.
 */
export const putPartner = operation("tracking.partner.put", {
  request: Type.Object({
    program_id: Id,
    partner_id: Id,
    version: Id,
    status: OneOf("approved", "suspended", "removed"),
    first_link: Type.Optional(Type.Object({ code: Nullable(LinkCode), name: Type.String() })),
  }),
  reply: Type.Object({}),
})

/**
 * Undoes a putPartner whose creation came to nothing: its links go, their codes are free, and a
 * late putPartner of version 1 finds the partner removed. Safe to repeat.
 */
export const forgetPartner = operation("tracking.partner.forget", {
  request: Type.Object({ program_id: Id, partner_id: Id }),
  reply: Type.Object({}),
})

// For reporting.

/** The codes of these links, as far as the program has them. */
export const nameLinks = operation("tracking.link.name", {
  request: Type.Object({ program_id: Id, link_ids: Type.Array(Id) }),
  reply: Type.Object({ links: Type.Array(Type.Object({ link_id: Id, code: Type.String() })) }),
})

const attribution = {
  program_id: Id,
  customer_id: Id,
  click_id: Nullable(Type.String()), // null: the customer is erased
  partner_id: Id,
  link_id: Id,
}

/** What the click was like; of a lead or sale its attributing click, fixed when it was recorded. */
const origin = {
  geo_country: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
  browser_name: Nullable(Type.String()),
  referrer_host: Nullable(Type.String()),
  sub_id: Nullable(Type.String()),
}

export const ClickRow = Type.Object({
  id: Id,
  ...attribution,
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  referrer_url: Nullable(Type.String()),
  geo_region: Nullable(Type.String()),
  geo_city: Nullable(Type.String()),
  device_os: Nullable(Type.String()),
  ...origin,
  click_timestamp: Time,
  created_at: Time,
})
export type ClickRow = Static<typeof ClickRow>

/** Each lead moved its customer to lead: signup_date is lead_timestamp. */
export const LeadRow = Type.Object({
  id: Id,
  ...attribution, // partner and link as they were when it was recorded
  customer_key: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  ...origin,
  lead_timestamp: Time,
  created_at: Time,
})
export type LeadRow = Static<typeof LeadRow>

export const SaleRow = Type.Object({
  id: Id,
  ...attribution,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  sale_type: Type.String(),
  payment_status: Type.String(),
  is_recurring: Type.Boolean(),
  converts: Type.Boolean(), // it was its customer's first: first_purchase_date is sale_date
  ...origin,
  sale_date: Time,
  created_at: Time,
})
export type SaleRow = Static<typeof SaleRow>

/** Who was erased: of this customer nothing may be kept that names it. */
export const ErasureRow = Type.Object({
  id: Id,
  customer_id: Id,
  scope: OneOf("customer", "customer_key"), // customer_key: it goes on without this name
})
export type ErasureRow = Static<typeof ErasureRow>

/**
 * How many clicks retention has dropped, in all: of an hour (`dimension` "hour", `value` ""), or of
 * a day by a value of what reports break down by ("" for none). That is their number from then on.
 * Whole months are dropped, the oldest first. `ids` is the sum of the clicks' ids.
 */
export const DroppedClicksRow = Type.Object({
  id: Id,
  program_id: Id,
  dimension: OneOf("hour", "partner", "link", "country", "device", "browser", "referrer", "sub_id"),
  value: Type.String(),
  starts_at: Time,
  clicks: Type.Integer(),
  ids: Type.String(),
})
export type DroppedClicksRow = Static<typeof DroppedClicksRow>

/** More of the feeds of final rows, test rows left out (lib/feeds/feed.ts). */
export const readFeeds = feedsOf("tracking.feed.read", {
  clicks: ClickRow,
  leads: LeadRow,
  sales: SaleRow,
  erasures: ErasureRow,
  dropped_clicks: DroppedClicksRow,
})

/** Who has changed what; for identity, which keeps the audit log. */
export const feedAuditEntries = entriesOf("tracking")

// For whoever checks the books.

export const auditBooks = auditOf("tracking")
export const totalFeeds = feedTotalsOf("tracking")

export const BookedSale = Type.Object({
  sale_id: Id,
  program_id: Id,
  partner_id: Id,
  transaction_id: Type.String(),
  commission_id: Nullable(Id),
  is_complete: Type.Boolean(), // else it may have a commission already, and does not know it
})
export type BookedSale = Static<typeof BookedSale>

/** Sales by id, test sales left out, as commissions must match them. */
export const listBookedSales = operation("tracking.sale.list_booked", {
  request: Type.Object({ after_id: Type.Integer(), limit: Type.Integer() }),
  reply: Type.Array(BookedSale),
})

export const showHealth = healthOf("tracking")
