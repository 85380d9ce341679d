import Bowser from "bowser"
import { isbot } from "isbot"

const KNOWN_MAX = 10_000
const NAME_MAX_CHARACTERS = 64 // of an unknown browser, what its header says is all there is

export type Device = {
  device_type: string | null // desktop, mobile, tablet, tv or bot
  device_os: string | null
  browser_name: string | null
}

const known = new Map<string, Device>()

/** What a User-Agent header tells. Few different ones make up most clicks, so they are kept. */
export function deviceOf(user_agent: string | null): Device {
  if (!user_agent) return { device_type: null, device_os: null, browser_name: null }
  const device = known.get(user_agent)
  if (device) return device

  if (known.size >= KNOWN_MAX) known.clear()
  const derived = derive(user_agent)
  known.set(user_agent, derived)
  return derived
}

function derive(user_agent: string): Device {
  const { platform, os, browser } = Bowser.parse(user_agent)
  return {
    device_type: isbot(user_agent) ? "bot" : platform.type || null,
    device_os: nameOf(os),
    browser_name: nameOf(browser),
  }
}

/** Counted in code points: half a surrogate pair could not be stored. */
const nameOf = ({ name }: { name?: string }): string | null =>
  name ? [...name].slice(0, NAME_MAX_CHARACTERS).join("") : null
