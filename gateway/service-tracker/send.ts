import type { Options } from "./options"

const REPLY_TIMEOUT_MS = 10_000 // `ready` resolves always, also when a firewall swallows packets

/** What the gateway answered; `success` is false with an `error` when it could not be reached. */
export interface Reply {
  success: boolean
  click_id?: string
  partner_code?: string
  cookie_window_days?: number
  message?: string
  error?: string
}

/**
 * Asks the gateway, and resolves whatever happens. The text goes out as text/plain, which needs no
 * preflight, and with `keepalive`, which lets it outlive a page that is left at this moment.
 */
export async function ask(options: Options, what: "click" | "lead", fields: object, test = false) {
  const additional_data = bare({
    program_id: options.program_id ?? undefined,
    test_mode: test || undefined,
  })
  const body = JSON.stringify(bare({ ...fields, additional_data }))
  const reply = await post(`${options.api_base}/api/v1/track/${what}`, body).catch(unreachable)
  if (options.debug) console.log("[service-tracker]", what, body, reply)
  return reply
}

function post(url: string, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    setTimeout(reject, REPLY_TIMEOUT_MS, "The gateway did not answer in time.")
    fetch(url, bare({ method: "POST", body, keepalive: true, credentials: "omit" }))
      .then(answer => answer.json())
      .then(reply => resolve({ success: false, ...reply }))
      .catch(reject)
  })
}

const unreachable = (error: unknown): Reply => ({ success: false, error: String(error) })

/** Without a prototype, so that a page which adds to Object.prototype adds nothing to this. */
const bare = (fields: object) => Object.assign(Object.create(null), fields)
