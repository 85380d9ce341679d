import { readCookie, writeCookie } from "./cookie"

const CLICK_ID = "service_click_id" // holds exactly the click_id: advertisers' backends read it
const AFF = "service_aff" // whose click it was, so that the same partner's link makes no second
const DAY_SECONDS = 86_400

interface Attribution {
  click_id: string
  aff: string | null // null: the cookie was written by somebody else
}

let unkept: Attribution | null = null // cookies are blocked: good for this page and no longer

/** Who sent this visitor, as of now: another tab may have changed it. */
export function attribution(): Attribution | null {
  const click_id = readCookie(CLICK_ID)
  return click_id ? { click_id, aff: readCookie(AFF) } : unkept
}

export function attribute(click_id: string, aff: string, window_days: number) {
  writeCookie(CLICK_ID, click_id, window_days * DAY_SECONDS)
  writeCookie(AFF, aff, window_days * DAY_SECONDS)
  unkept = readCookie(CLICK_ID) === click_id ? null : { click_id, aff }
}
