import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Descriptive } from "../../../lib/descriptive"
import { Id, Name, Nullable, OneOf, Time } from "../../../lib/fields"
import { StatedProgram, TestMode } from "../additional-data"
import { attribution, origin } from "../attribution"
import { Customer, NullableText } from "../customers/contract"

const Text = (description = "a string") => Descriptive(Type.String({ description }))

/** The body of POST /track/click (behaviour 4.1.1). Overlong texts are cut (behaviour 1.7.2). */
export const Click = Type.Object({
  affiliate_url: Type.Optional(
    Type.RegExp(/^[\s\S]{0,8192}$/u, { description: "a URL of at most 8,192 characters" }),
  ),
  page_url: Text("a URL, cut at 2,048 characters"),
  page_title: Text("a string, cut at 1,024 characters"),
  referrer_url: Text("a URL, cut at 2,048 characters"),
  session_id: Text("a string, cut at 255 characters"),
  user_agent: Text("a string, cut at 1,024 characters"),
  screen_resolution: Text("a size like 1920x1080"), // another string: stored as null
  viewport_size: Text("a size like 1280x720"),
  language: Text("a language code like en-GB"),
  timezone: Text("an IANA time zone"),
  existing_click_id: Descriptive(Name),
  additional_data: Descriptive(
    Type.Object(
      { ...TestMode, program_id: Type.Optional(StatedProgram) },
      { description: "an object" },
    ),
  ),
})

export type Click = Static<typeof Click>

/**
 * Records a click and replies with its attribution (behaviour 4.1.2). Not safe to repeat: each one
 * counts. Waiting clicks travel in one message; a fault of one does not affect the others.
 * `address` is already truncated. It only locates the visitor and is not stored.
 * `is_recorded` false: the link, its program or its partner is inactive, and nothing was written.
 * Faults: invalid (no such link, or its partner or program no longer exists), unavailable.
 */
export const recordClick = operation("tracking.click.record", {
  is_packed: true,
  request: Type.Object({
    code: Type.String(), // the aff value, not validated
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
 * Returns everything stored of a click, sent or derived (behaviour 5.3.3). Null: neither sent nor
 * derived, or the customer was erased. For a test click, click_id, partner_id, link_id,
 * cookie_window_days and customer are null. `click_event_id` is the id that event lists show.
 * Faults: missing.
 */
export const showClick = operation("tracking.click.show", {
  request: Type.Object({ program_id: Id, click_event_id: Id }),
  reply: Type.Object({
    id: Id,
    program_id: Id,
    stated_program_id: Nullable(Id), // additional_data.program_id as sent
    click_id: NullableText,
    partner_id: Nullable(Id),
    link_id: Nullable(Id),
    cookie_window_days: Nullable(Type.Integer()), // as in the reply to the click
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

/** A click in the feed. */
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

/**
 * The final count of clicks that retention dropped (behaviour 9.9): per hour (`dimension` "hour",
 * `value` ""), or per day and value of a breakdown dimension ("": no value). Whole months are
 * dropped, the oldest first. `ids` is the sum of the ids of the clicks.
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
