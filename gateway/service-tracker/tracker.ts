import { loadedAddress, onNavigation } from "./address"
import { readAttribution } from "./attribution"
import { click, testClick } from "./click"
import { sendLead, testLead, textOf } from "./lead"
import type { Options } from "./options"
import { failure, type Reply } from "./send"
import { affOf, type Visit, visitOf } from "./visit"
import { drop, keep, readWaitingLeads, type WaitingLead } from "./waiting-leads"

export type Tracker = ReturnType<typeof createTracker>

/** Creates `window.serviceTracker` and starts the first click. Its promises never reject. */
export function createTracker(options: Options) {
  const pageHidden = new Promise(resolve => addEventListener("pagehide", resolve))
  let lastClick: Promise<Reply | null> = pageShown() // one at a time: each knows the one before
  let visit: Visit | null = null

  function record(visit: Visit | null): Promise<Reply> {
    const reply = lastClick.then(() => click(options, visit)).catch(failure)
    lastClick = reply
    return reply
  }

  /** Records the visit of an address, if it carries another partner's code than the last one. */
  function arrive(url: string) {
    const arrived = visitOf(url)
    if (!arrived || affOf(arrived.affiliate_url) === affOf(visit?.affiliate_url ?? "")) return
    visit = arrived
    record(visit)
  }

  /**
   * Sends a lead once the click before it is answered. A page that is being left cannot wait: if
   * the visitor is known, the lead is sent at once, else it is kept for the next page.
   */
  async function deliver(lead: WaitingLead): Promise<Reply> {
    const answer = lastClick
    keep(lead)
    const clicked = await Promise.race([
      answer,
      pageHidden.then(() => (readAttribution() ? null : answer)),
    ])
    if (clicked?.retry && !readAttribution()) return clicked
    drop(lead)
    const reply = await sendLead(options, lead).catch(failure)
    if (reply.retry) keep({ ...lead, visit: null })
    return reply
  }

  const signup = (customer_key?: unknown, email?: unknown) =>
    deliver({
      since: Date.now(),
      visit,
      customer_key: textOf(customer_key),
      email: textOf(email),
    })

  for (const lead of readWaitingLeads()) {
    record(lead.visit ?? null)
    deliver(lead)
  }
  arrive(loadedAddress())
  arrive(location.href)
  onNavigation(() => arrive(location.href))

  const clickId = () => readAttribution()?.click_id ?? null
  const hasAttribution = () => readAttribution() !== null
  const affiliateUrl = () => visit?.affiliate_url ?? null

  return {
    /** Resolves once the visit is recorded, needs no recording, or could not be recorded. */
    ready: lastClick.then(() => {}),
    get clickId() {
      return clickId()
    },
    get programId() {
      return options.programId
    },
    /** The last address of this page that carried a partner's code; null: none did. */
    get affiliateUrl() {
      return affiliateUrl()
    },
    get hasAttribution() {
      return hasAttribution()
    },
    getClickId: clickId,
    trackClick: () => record(visit),
    signup,

    /** Sends a test click if the visit has a partner's code, else a test lead, and logs the reply. */
    async trackTest(): Promise<Reply> {
      const sent = visit ? testClick(options, visit) : testLead(options)
      const reply = await sent.catch(failure)
      console.log("[service-tracker] test", reply)
      return reply
    },

    // The names of Affitor's tracker (behaviour 8.8).
    loaded: true,
    get debugMode() {
      return options.debug
    },
    get hasAffiliateAttribution() {
      return hasAttribution()
    },
    getData: () => ({
      clickId: clickId(),
      programId: options.programId,
      hasAttribution: hasAttribution(),
      affiliateUrl: affiliateUrl(),
    }),
    init(given?: { programId?: unknown; debug?: unknown }) {
      options.programId = Number(given?.programId) || options.programId
      options.debug ||= given?.debug === true
    },
    trackLead: (lead?: { customer_key?: unknown; user_id?: unknown; email?: unknown }) =>
      signup(lead?.customer_key ?? lead?.user_id, lead?.email),
  }
}

/** Resolves once the visitor sees the page: a prerendered page is not a visit yet. */
function pageShown() {
  return new Promise<null>(resolve => {
    if ("prerendering" in document && document.prerendering) {
      document.addEventListener("prerenderingchange", () => resolve(null))
    } else resolve(null)
  })
}
