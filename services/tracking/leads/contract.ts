import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { cutAt, Descriptive } from "../../../lib/descriptive"
import { Email, Id, Name, Nullable, Time } from "../../../lib/fields"
import { StatedProgram, TestMode } from "../additional-data"
import { attribution, origin } from "../attribution"
import { Customer, NullableText } from "../customers/contract"

/** The body of POST /track/lead (behaviour 4.2.1). */
export const Lead = Type.Object({
  click_id: Type.Optional(Name),
  customer_key: Type.Optional(Name),
  email: Descriptive(Email, text => text.trim()),
  additional_data: Descriptive(
    Type.Object(
      {
        ...TestMode,
        program_id: Type.Optional(StatedProgram),
        event_name: Descriptive(Name, cutAt(255)),
      },
      { description: "an object" },
    ),
  ),
})

export type Lead = Static<typeof Lead>

/**
 * Sets the status of a customer to lead and binds customer_key and e-mail to it (behaviour 4.2.2).
 * A repeat stores no second lead. `program_id` is the token's program; null: no token was sent.
 * `is_provisional`: the program accepts leads from backends only, and nothing was bound.
 * Faults: invalid (the customer does not exist, belongs to another program, has already converted
 * or has another key).
 */
export const recordLead = operation("tracking.lead.record", {
  request: Type.Object({ program_id: Nullable(Id), lead: Lead }),
  reply: Type.Object({ is_provisional: Type.Boolean() }),
})

/**
 * Returns all stored fields of a lead, and its customer (behaviour 5.3.3). For a test lead
 * partner_id, link_id, click_event_id, session_id, page_url and customer are null.
 * `lead_event_id` is the id from the event list. Faults: missing.
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
    session_id: NullableText, // of the attributing click, like page_url
    page_url: NullableText,
    is_test: Type.Boolean(),
    lead_timestamp: Time,
    created_at: Time,
    customer: Nullable(Customer),
  }),
})

/** A lead in the feed. Its lead_timestamp is the signup_date of its customer. */
export const LeadRow = Type.Object({
  id: Id,
  ...attribution, // partner and link at the time of the lead
  customer_key: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  page_url: Nullable(Type.String()),
  ...origin,
  lead_timestamp: Time,
  created_at: Time,
})

export type LeadRow = Static<typeof LeadRow>
