import type { Reply } from "./ask"
import { attribution } from "./attribution"
import { affOfPage, click, testClick } from "./click"
import { lead, testLead } from "./lead"
import type { Options } from "./options"

export type Tracker = ReturnType<typeof newTracker>

/**
 * What the page gets as `window.serviceTracker`. No promise of it ever rejects; the first click is
 * under way when it returns.
 */
export function newTracker(options: Options) {
  let turn: Promise<unknown> = shown() // one click after the other: the next knows the last
  const leaving = new Promise(resolve => addEventListener("pagehide", resolve))
  const trackClick = () => {
    const reply = turn.then(() => click(options)).catch(failed)
    turn = reply
    return reply
  }

  return {
    /** Resolves once the visit is recorded, or is known to need nothing, or could not be. */
    ready: trackClick().then(() => {}),
    get clickId() {
      return attribution()?.click_id ?? null
    },
    get programId() {
      return options.program_id
    },
    /** The URL of this page when it carries a partner's code. */
    get affiliateUrl() {
      return affOfPage() && location.href
    },
    get hasAttribution() {
      return attribution() !== null
    },
    getClickId: () => attribution()?.click_id ?? null,
    trackClick,

    /** Waits for a click under way, but not beyond the page: a form may be taking us elsewhere. */
    signup: (customer_key?: unknown, email?: unknown): Promise<Reply> =>
      Promise.race([turn, leaving])
        .then(() => lead(options, customer_key, email))
        .catch(failed),

    /** Sends a test click where the URL has a partner's code, else a test lead, and tells. */
    async trackTest(): Promise<Reply> {
      const reply = await (affOfPage() ? testClick : testLead)(options).catch(failed)
      console.log("[service-tracker] test", reply)
      return reply
    },
  }
}

const failed = (error: unknown): Reply => ({ success: false, error: String(error) })

/** A page that the browser renders in advance is no visit until somebody sees it. */
function shown() {
  return new Promise<unknown>(resolve => {
    if ("prerendering" in document && document.prerendering) {
      document.addEventListener("prerenderingchange", resolve)
    } else resolve(null)
  })
}
