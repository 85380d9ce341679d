import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Name, Nullable, OneOf, Time } from "../../../lib/fields"

export const NullableText = Nullable(Type.String())

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

/** Who was erased: of this customer nothing may be kept that names it. */
export const ErasureRow = Type.Object({
  id: Id,
  customer_id: Id,
  scope: OneOf("customer", "customer_key"), // customer_key: it goes on without this name
})

export type ErasureRow = Static<typeof ErasureRow>
