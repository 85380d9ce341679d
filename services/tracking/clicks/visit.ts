import type { Click } from "../contract"
import { type Device, deviceOf } from "./device"
import { type Geo, geoOf } from "./geo"

const TEXT_MAX_CHARACTERS = 1_024
const URL_MAX_CHARACTERS = 2_048
const LABEL_MAX_CHARACTERS = 255
const ZONES_MAX = 1_000

const SUB_IDS = ["sub", "subid", "sub_id"] // the first that says something

const SIZE = /^\d{1,5}x\d{1,5}$/
const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,7}$/ // the shape of BCP 47

/** What is kept of who clicked, where and with what. Nothing of it can make a click fail. */
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

/** Texts too long are cut, malformed ones dropped (contract 1). The address itself is not kept. */
export function visitOf(click: Click, address: string | null): Visit {
  const { program_id } = click.additional_data ?? {}
  const user_agent = cut(click.user_agent, TEXT_MAX_CHARACTERS)
  return {
    affiliate_url: click.affiliate_url ?? null,
    page_url: cut(click.page_url, URL_MAX_CHARACTERS),
    page_title: cut(click.page_title, TEXT_MAX_CHARACTERS),
    referrer_url: cut(click.referrer_url, URL_MAX_CHARACTERS),
    referrer_host: hostOf(click.referrer_url),
    sub_id: subIdOf(click.affiliate_url),
    session_id: cut(click.session_id, TEXT_MAX_CHARACTERS),
    existing_click_id: click.existing_click_id ?? null,
    user_agent,
    screen_resolution: matching(SIZE, click.screen_resolution),
    viewport_size: matching(SIZE, click.viewport_size),
    language: matching(LANGUAGE, click.language),
    timezone: zoneOf(click.timezone),
    stated_program_id: program_id === undefined ? null : Number(program_id),
    ...deviceOf(user_agent),
    ...geoOf(address),
  }
}

/** Counted in code points: half a surrogate pair could not be stored. */
function cut(text: string | undefined, max: number): string | null {
  if (text === undefined || text.length <= max) return text ?? null
  return [...text.slice(0, 2 * max)].slice(0, max).join("")
}

/** Of android-app://… too. Null: nothing, or nothing that is a URL. */
function hostOf(url: string | undefined): string | null {
  const host = url && URL.parse(url)?.hostname
  return host ? cut(host, LABEL_MAX_CHARACTERS) : null
}

/** How the partner calls this place or campaign of theirs: the affiliate_url says it. */
function subIdOf(affiliate_url: string | undefined): string | null {
  const url = URL.parse(affiliate_url ?? "")
  if (!url || !/sub|%/.test(url.search)) return null // to take the parameters apart costs more
  const sub_id = SUB_IDS.map(name => url.searchParams.get(name)).find(Boolean)
  return sub_id && !sub_id.includes("\0") ? cut(sub_id, LABEL_MAX_CHARACTERS) : null
}

const matching = (pattern: RegExp, value: unknown): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null

const zones = new Map<string, boolean>()

/** The names of IANA as the runtime knows them; asking it is slow. */
function zoneOf(name: unknown): string | null {
  if (typeof name !== "string" || name.length > 64) return null
  const isZone = zones.get(name) ?? isKnownZone(name)
  if (zones.size < ZONES_MAX) zones.set(name, isZone)
  return isZone ? name : null
}

function isKnownZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false // +01:00 is an offset
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
