import { truncate } from "../../../lib/truncate"
import type { Click } from "../contract"
import { sub1Of } from "../origins/labels"
import { type Device, deviceOf } from "./device"
import { type Geo, geoOf } from "./geo"
import { limitStoredSize } from "./stored-size"

const TEXT_MAX_CHARACTERS = 1_024
const URL_MAX_CHARACTERS = 2_048
const LABEL_MAX_CHARACTERS = 255
const TIME_ZONES_MAX = 1_000

const SIZE = /^\d{1,5}x\d{1,5}$/
const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,7}$/ // the syntax of BCP 47

/** The descriptive columns of a click, sent or derived. */
export type Visit = Geo &
  Device &
  Record<
    | "affiliate_url"
    | "page_url"
    | "page_title"
    | "referrer_url"
    | "referrer_host"
    | "sub_id"
    | "session_id"
    | "existing_click_id"
    | "user_agent"
    | "screen_resolution"
    | "viewport_size"
    | "language"
    | "timezone",
    string | null
  > & { stated_program_id: number | null }

/**
 * Cuts overlong texts (behaviour 1.7.2, 1.7.4), drops malformed ones (behaviour 1.7.3) and derives
 * geo and device. The address itself is not stored.
 */
export function visitOf(click: Click, address: string | null): Visit {
  const { program_id } = click.additional_data ?? {}
  const user_agent = cut(click.user_agent, TEXT_MAX_CHARACTERS)
  const visit: Visit = {
    affiliate_url: click.affiliate_url ?? null,
    page_url: cut(click.page_url, URL_MAX_CHARACTERS),
    page_title: cut(click.page_title, TEXT_MAX_CHARACTERS),
    referrer_url: cut(click.referrer_url, URL_MAX_CHARACTERS),
    referrer_host: hostOf(click.referrer_url),
    sub_id: sub1Of(click.affiliate_url ?? ""),
    session_id: cut(click.session_id, LABEL_MAX_CHARACTERS),
    existing_click_id: click.existing_click_id ?? null,
    user_agent,
    screen_resolution: matchOrNull(SIZE, click.screen_resolution),
    viewport_size: matchOrNull(SIZE, click.viewport_size),
    language: matchOrNull(LANGUAGE, click.language),
    timezone: timeZoneOf(click.timezone),
    stated_program_id: program_id === undefined ? null : Number(program_id),
    ...deviceOf(user_agent),
    ...geoOf(address),
  }
  limitStoredSize(visit)
  return visit
}

const cut = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : truncate(text, max)

/** Returns the host of a URL of any scheme, android-app:// included. Null: absent or not a URL. */
function hostOf(url: string | undefined): string | null {
  const host = url && URL.parse(url)?.hostname
  return host ? truncate(host, LABEL_MAX_CHARACTERS) : null
}

const matchOrNull = (pattern: RegExp, value: unknown): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null

const timeZones = new Map<string, boolean>()

/** Returns an IANA time zone name. Null: unknown. Cached: the runtime's check is slow. */
function timeZoneOf(name: unknown): string | null {
  if (typeof name !== "string" || name.length > 64) return null
  const isKnown = timeZones.get(name) ?? isTimeZone(name)
  if (timeZones.size < TIME_ZONES_MAX) timeZones.set(name, isKnown)
  return isKnown ? name : null
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false // +01:00 is an offset
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
