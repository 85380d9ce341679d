import { readAttribution } from "./attribution"
import type { Options } from "./options"
import { type Reply, send } from "./send"
import type { WaitingLead } from "./waiting-leads"

/**
 * Reports that this visitor has signed up (behaviour 8.5). Without a click the gateway could
 * not attribute the lead, so it is not sent, and the visitor's e-mail address stays in the page.
 * Only `data-debug` sends it, as a test lead.
 */
export async function sendLead(options: Options, { customer_key, email }: WaitingLead) {
  const click_id = readAttribution()?.click_id
  const customer = { click_id, customer_key, email }
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

/** Sites pass numbers as keys, and null for unknown values. */
export const textOf = (value: unknown) => String(value ?? "") || undefined
