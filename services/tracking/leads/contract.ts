import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Id, Name, Nullable, Time } from "../../../lib/fields"
import { StatedProgram, TestMode } from "../additional-data"
import { attribution, origin } from "../attribution"
import { Customer, NullableText } from "../customers/contract"

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
