import Bowser from "bowser"
import { isbot } from "isbot"

const CACHE_MAX = 10_000
const NAME_MAX_CHARACTERS = 64 // the name of an unknown browser comes from its header

export type Device = {
  device_type: string | null // desktop, mobile, tablet, tv or bot
  device_os: string | null
  browser_name: string | null
}

const cache = new Map<string, Device>()

/** Derives the device from a User-Agent header. Cached: few headers make up most clicks. */
export function deviceOf(user_agent: string | null): Device {
  if (!user_agent) return { device_type: null, device_os: null, browser_name: null }
  const cached = cache.get(user_agent)
  if (cached) return cached

  if (cache.size >= CACHE_MAX) cache.clear()
  const device = parseUserAgent(user_agent)
  cache.set(user_agent, device)
  return device
}

function parseUserAgent(user_agent: string): Device {
  const { platform, os, browser } = Bowser.parse(user_agent)
  return {
    device_type: isbot(user_agent) ? "bot" : platform.type || null,
    device_os: nameOf(os),
    browser_name: nameOf(browser),
  }
}

/** Counts code points: PostgreSQL does not store half a surrogate pair. */
const nameOf = ({ name }: { name?: string }): string | null =>
  name ? [...name].slice(0, NAME_MAX_CHARACTERS).join("") : null
