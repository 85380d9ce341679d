import { readCookie, writeCookie } from "./cookie"

const CLICK_ID = "service_click_id" // exactly the click_id: advertisers' backends read it
const AFF = "service_aff" // the partner's code: the same partner's link records no second click
const DAY_SECONDS = 86_400

interface Attribution {
  click_id: string
  aff: string | null // null: other code wrote the click_id cookie
}

let inMemory: Attribution | null = null // cookies are blocked: valid on this page only

/** The visitor's current attribution. Read it each time: another tab may have changed it. */
export function readAttribution(): Attribution | null {
  const click_id = readCookie(CLICK_ID)
  return click_id ? { click_id, aff: readCookie(AFF) } : inMemory
}

/** Stores the attribution in cookies, or in memory if they are blocked. */
export function storeAttribution(click_id: string, aff: string, windowDays: number) {
  writeCookie(CLICK_ID, click_id, windowDays * DAY_SECONDS)
  writeCookie(AFF, aff, windowDays * DAY_SECONDS)
  inMemory = readCookie(CLICK_ID) === click_id ? null : { click_id, aff }
}
