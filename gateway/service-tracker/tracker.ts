import { readAttribution } from "./attribution"
import { affOfPage, click, testClick } from "./click"
import { lead, testLead } from "./lead"
import type { Options } from "./options"
import type { Reply } from "./send"

export type Tracker = ReturnType<typeof createTracker>

/** Creates `window.serviceTracker` and starts the first click. Its promises never reject. */
export function createTracker(options: Options) {
  let lastClick: Promise<unknown> = pageShown() // one click at a time: each knows the one before
  const pageHidden = new Promise(resolve => addEventListener("pagehide", resolve))
  const trackClick = () => {
    const reply = lastClick.then(() => click(options)).catch(failure)
    lastClick = reply
    return reply
  }

  return {
    /** Resolves once the visit is recorded, needs no recording, or could not be recorded. */
    ready: trackClick().then(() => {}),
    get clickId() {
      return readAttribution()?.click_id ?? null
    },
    get programId() {
      return options.programId
    },
    /** The URL of this page if it carries a partner's code, otherwise null. */
    get affiliateUrl() {
      return affOfPage() && location.href
    },
    get hasAttribution() {
      return readAttribution() !== null
    },
    getClickId: () => readAttribution()?.click_id ?? null,
    trackClick,

    /** Waits for a pending click, but not after pagehide: a form may be leaving the page. */
    signup: (customer_key?: unknown, email?: unknown): Promise<Reply> =>
      Promise.race([lastClick, pageHidden])
        .then(() => lead(options, customer_key, email))
        .catch(failure),

    /** Sends a test click if the URL has a partner's code, else a test lead, and logs the reply. */
    async trackTest(): Promise<Reply> {
      const reply = await (affOfPage() ? testClick : testLead)(options).catch(failure)
      console.log("[service-tracker] test", reply)
      return reply
    },
  }
}

const failure = (error: unknown): Reply => ({ success: false, error: String(error) })

/** Resolves once the visitor sees the page: a prerendered page is not a visit yet. */
function pageShown() {
  return new Promise<unknown>(resolve => {
    if ("prerendering" in document && document.prerendering) {
      document.addEventListener("prerenderingchange", resolve)
    } else resolve(null)
  })
}
