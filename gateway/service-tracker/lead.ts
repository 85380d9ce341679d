import { readAttribution } from "./attribution"
import type { Options } from "./options"
import { type Reply, send } from "./send"

/**
 * Reports that this visitor has signed up (behaviour 8.5). Without a click the gateway could
 * not attribute the lead, so it is not sent, and the visitor's e-mail address stays in the page.
 * Only `data-debug` sends it, as a test lead.
 */
export async function lead(options: Options, customer_key?: unknown, email?: unknown) {
  const click_id = readAttribution()?.click_id
  const customer = { click_id, customer_key: textOf(customer_key), email: addressOf(email) }
  if (click_id || options.debug) return send(options, "lead", customer, options.debug)
  return {
    success: false,
    error: "This visitor has no attribution, so no lead was sent.",
  } satisfies Reply
}

/** Sends a test lead, which is not counted, to try out an integration. */
export function testLead(options: Options) {
  return send(options, "lead", { click_id: readAttribution()?.click_id }, true)
}

/** Omits an invalid e-mail address, for which the gateway would refuse the lead. */
const addressOf = (value: unknown) => {
  const text = textOf(value)?.trim() ?? ""
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined
}

/** Sites pass numbers as keys, and null for unknown values. */
const textOf = (value: unknown) => String(value ?? "") || undefined
