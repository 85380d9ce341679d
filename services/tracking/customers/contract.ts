import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Name, Nullable, OneOf, Time } from "../../../lib/fields"

export const NullableText = Nullable(Type.String())

/**
 * A customer (behaviour 5.2.1), with its status and current attribution. The fields that identify
 * it are null once it is erased.
 */
export const Customer = Type.Object({
  id: Id,
  program_id: Id,
  click_id: NullableText,
  customer_key: NullableText, // null before a lead or sale sends one
  customer_status: OneOf("click", "lead", "conversion"),
  email_masked: NullableText, // null before a lead sends one
  signup_date: Nullable(Time), // null: no lead was recorded
  first_purchase_date: Nullable(Time), // null: no sale was recorded
  partner_id: Id,
  link_id: Id,
  click_event_id: Id, // the attributing click
  attributed_at: Time, // the time of the attributing click
  cookie_window_days: Type.Integer(), // counted from attributed_at
  created_at: Time,
})

const CustomerByKey = Type.Object({ program_id: Id, customer_key: Name })

/** Finds a customer by key, before the body is validated (404 before 400). Faults: missing. */
export const findCustomer = operation("tracking.customer.find", {
  request: CustomerByKey,
  reply: Type.Object({ customer_id: Id }),
})

/** Returns the customer of the program with this key. Faults: missing. */
export const showCustomer = operation("tracking.customer.show", {
  request: CustomerByKey,
  reply: Customer,
})

/**
 * Erases a customer (behaviour 5.2.3): anonymizes everything stored of the person, the device, the
 * visits and the subscription. The books keep clicks, lead and sales with times, partner and
 * amounts. Afterwards the key, click_id and e-mail address identify no customer; a later click or
 * lead creates a new one. Faults: missing (also on a repeat).
 */
export const eraseCustomer = operation("tracking.customer.erase", {
  request: CustomerByKey,
  reply: Type.Object({ customer_id: Id, erased_at: Time }),
})

/** An erasure in the feed: its reader must anonymize what it keeps of this customer. */
export const ErasureRow = Type.Object({
  id: Id,
  customer_id: Id,
  scope: OneOf("customer", "customer_key"), // customer_key: only the key is removed
})

export type ErasureRow = Static<typeof ErasureRow>
