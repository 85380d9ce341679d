import { ask, type Reply } from "./ask"
import { attribution } from "./attribution"
import type { Options } from "./options"

/**
 * Tells that this visitor has signed up (specification 4.3). Without a click the gateway could not
 * tell whose lead it is, so the address of a visitor whom no partner sent never leaves the page.
 */
export async function lead(options: Options, customer_key?: unknown, email?: unknown) {
  const click_id = attribution()?.click_id
  const customer = { click_id, customer_key: textOf(customer_key), email: addressOf(email) }
  if (click_id || options.debug) return ask(options, "lead", customer, options.debug)
  return { success: false, error: "No partner has sent this visitor." } satisfies Reply
}

/** A lead that counts nowhere, for trying out an integration. */
export function testLead(options: Options) {
  return ask(options, "lead", { click_id: attribution()?.click_id }, true)
}

/** The gateway refuses a lead for what is no address: better the lead without it. */
const addressOf = (value: unknown) => {
  const text = textOf(value)?.trim() ?? ""
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined
}

/** Sites give numbers as keys, and null for what they do not know. */
const textOf = (value: unknown) => String(value ?? "") || undefined
