import { Type } from "@sinclair/typebox"
import { Id, Nullable } from "../../lib/fields"

/** The fields of an event that say whose it is. */
export const attribution = {
  program_id: Id,
  customer_id: Id,
  click_id: Nullable(Type.String()), // null: the customer is erased
  partner_id: Id,
  link_id: Id,
}

/** Describes the click: for a lead or sale the attributing click, fixed when it was recorded. */
export const origin = {
  geo_country: Nullable(Type.String()),
  device_type: Nullable(Type.String()),
  browser_name: Nullable(Type.String()),
  referrer_host: Nullable(Type.String()),
  sub_id: Nullable(Type.String()),
}
