import type { Options } from "./options"

const REPLY_TIMEOUT_MS = 10_000 // `ready` always resolves, even if a firewall drops packets

/** The gateway's reply. If the gateway was not reached, `success` is false and `error` says why. */
export interface Reply {
  success: boolean
  click_id?: string
  partner_code?: string
  cookie_window_days?: number
  message?: string
  error?: string
  retry?: boolean // the gateway was not reached, or the outcome is unknown
}

/**
 * Sends a click or a lead to the gateway. Always resolves. The body is text/plain, which needs no
 * preflight, and is sent with `keepalive`, so that it outlives a page the visitor is leaving.
 */
export async function send(options: Options, kind: "click" | "lead", fields: object, test = false) {
  const additional_data = withoutPrototype({
    program_id: options.programId ?? undefined,
    test_mode: test || undefined,
  })
  const body = JSON.stringify(withoutPrototype({ ...fields, additional_data }))
  const reply = await post(`${options.apiBase}/api/v1/track/${kind}`, body).catch(failure)
  if (options.debug) console.log("[service-tracker]", kind, body, reply)
  return reply
}

function post(url: string, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, REPLY_TIMEOUT_MS, "The gateway did not reply in time.")
    fetch(url, withoutPrototype({ method: "POST", body, keepalive: true, credentials: "omit" }))
      .then(async response => {
        const retry = response.status === 429 || response.status >= 500
        resolve({ success: false, ...(await response.json()), retry })
      })
      .catch(reject)
  })
}

export const failure = (error: unknown): Reply => ({
  success: false,
  error: String(error),
  retry: true,
})

/** Without a prototype, so that what a page adds to Object.prototype is not sent. */
const withoutPrototype = (fields: object) => Object.assign(Object.create(null), fields)
