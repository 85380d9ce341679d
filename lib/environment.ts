import { isIP } from "node:net"

/** Returns an environment variable as it is. Null: it is absent or empty. */
export function text(name: string): string | null {
  return process.env[name] || null
}

/** Reads a secret of at least `min` characters. Null: it is absent. */
export function secret(name: string, min: number): string | null {
  const value = text(name)
  if (value === null || value.length >= min) return value
  throw new Error(`${name} must have at least ${min} characters. It has ${value.length}.`)
}

export function list(name: string): string[] {
  return (text(name) ?? "").split(",").flatMap(item => item.trim() || [])
}

/** Reads networks like 10.1.0.0/16 or fd00::/8, separated by commas. Throws if one is malformed. */
export function networks(name: string): [address: string, bits: number][] {
  return list(name).map(network => {
    const [, address = "", bits = ""] = /^([^/%]+)\/(\d{1,3})$/.exec(network) ?? []
    if (isIP(address) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)) {
      return [address, Number(bits)]
    }
    throw new Error(`${name} must be networks like 10.1.0.0/16, not "${network}".`)
  })
}

/** Reads ports, separated by commas. Throws if one is malformed. */
export function ports(name: string): number[] {
  return list(name).map(port => {
    if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port)
    throw new Error(`${name} must be ports like 444,9443, not "${port}".`)
  })
}

export function url(name: string): string | null {
  const value = text(name)
  if (value && !URL.canParse(value)) throw new Error(`${name} must be a URL, not "${value}".`)
  return value && new URL(value).href.replace(/\/$/, "")
}

export function redisUrl(name: string): string | null {
  const value = text(name)
  if (!value || (/^rediss?:\/\//.test(value) && URL.canParse(value))) return value
  throw new Error(`${name} must be a URL like redis://localhost:6379.`)
}

/** Reads the URL of a mail server. It may hold a password, so that a refusal does not quote it. */
export function smtpUrl(name: string): URL | null {
  const value = text(name)
  const url = value && URL.parse(value)
  if (
    !value ||
    (url && /^smtps?:$/.test(url.protocol) && url.hostname && isDecodable(url.password))
  )
    return url || null
  throw new Error(`${name} must be a URL like smtp://user:password@mail.example.com:587.`)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Reads a sender such as `Shop <mail@shop.example>`, or an address alone. */
export function sender(name: string): { name: string; address: string } | null {
  const value = text(name)
  if (value === null) return null
  const [, shown = "", address = value] = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u.exec(value) ?? []
  if (ADDRESS.test(address)) return { name: shown.trim(), address }
  throw new Error(`${name} must be an address like Shop <mail@shop.example>, not "${value}".`)
}
const ADDRESS = /^[^\s@<>"(),:;\\]+@[\w.-]+$/

/** Reads a rate limit such as 100/10s, 20/1m or 20/1h. Throws if it is malformed. */
export function rate(name: string, defaultValue: string): { calls: number; seconds: number } {
  const value = text(name) ?? defaultValue
  const [, calls, times, unit] = /^(\d{1,9})\/(\d{1,5})([smh])$/.exec(value) ?? []
  const seconds = Number(times) * (unit === "h" ? 3_600 : unit === "m" ? 60 : 1)
  if (Number(calls) >= 1 && seconds >= 1 && seconds <= 86_400) {
    return { calls: Number(calls), seconds }
  }
  throw new Error(`${name} must be calls per time of at most 24h, like 100/10s, not "${value}".`)
}

const SECONDS = { s: 1, m: 60, h: 3_600 }
const DURATIONS_MAX = 100

/** Reads durations like 0s,5m,24h as seconds. Throws if one is malformed or longer than a week. */
export function durations(name: string, defaultValue: string): [number, ...number[]] {
  const value = text(name) ?? defaultValue
  const [first, ...rest] = value.split(",").map(duration => {
    const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(duration.trim()) ?? []
    return Number(digits) * SECONDS[unit as keyof typeof SECONDS]
  })
  const isValid = [first, ...rest].every(seconds => seconds! <= 604_800)
  if (isValid && rest.length < DURATIONS_MAX) return [first!, ...rest]
  throw new Error(`${name} must be durations of at most a week, like 0s,5m,24h, not "${value}".`)
}

export function integer(name: string, defaultValue: number, min: number, max: number): number {
  const value = Number(text(name) ?? defaultValue)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new Error(`${name} must be an integer from ${min} to ${max}, not "${text(name)}".`)
}

/** Reads an integer that has no default. Null: it is absent. Throws if it is out of range. */
export const optionalInteger = (name: string, min: number, max: number): number | null =>
  text(name) === null ? null : integer(name, min, min, max)

/** Reads one of `choices`; the first is the default. Throws if it is another value. */
export function oneOf<const Choice extends string>(
  name: string,
  choices: [Choice, ...Choice[]],
): Choice {
  const value = text(name) ?? choices[0]
  const choice = choices.find(choice => choice === value)
  if (choice === undefined) {
    throw new Error(`${name} must be one of ${choices.join(", ")}, not "${value}".`)
  }
  return choice
}
