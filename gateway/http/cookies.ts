import { config } from "../../lib/config"

/** Browsers send a __Host- cookie to this host only, over https only (behaviour 2.5.1). */
const PREFIX = config.public_url?.startsWith("https:") ? "__Host-" : ""
export const COOKIE_NAME = `${PREFIX}session`
const SESSION_MAX_SECONDS = 90 * 24 * 60 * 60 // an idle session ends sooner
const DEVICE_MAX_SECONDS = 400 * 24 * 60 * 60 // the longest that browsers allow

/** The Set-Cookie value of a session. Scripts cannot read it; cross-site writes do not carry it. */
export const sessionCookie = (token: string): string =>
  cookie(COOKIE_NAME, token, SESSION_MAX_SECONDS)

/** The Set-Cookie value that removes the session. */
export const noSessionCookie = (): string => cookie(COOKIE_NAME, "", 0)

/** The token in the session cookie. Empty: there is no cookie. */
export const cookieToken = (headers: Headers): string => cookieValue(headers, COOKIE_NAME)

/** The Set-Cookie value that makes this a known device of an account (behaviour 1.12.2). */
export const deviceCookie = (account: string, device_token: string): string =>
  cookie(deviceCookieName(account), device_token, DEVICE_MAX_SECONDS)

/** The token of a known device of an account. Empty: there is no cookie. */
export const deviceTokenIn = (headers: Headers, account: string): string =>
  cookieValue(headers, deviceCookieName(account))

/** A device may be known to several accounts. Their addresses stay out of the names. */
const deviceCookieName = (account: string): string =>
  `${PREFIX}device-${Bun.SHA256.hash(`${config.secret_key}/device/${account}`, "hex").slice(0, 16)}`

function cookieValue(headers: Headers, name: string): string {
  const pairs = (headers.get("cookie") ?? "").split(";").map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ""
}

function cookie(name: string, value: string, max_age_seconds: number): string {
  const secure = PREFIX ? "; Secure" : ""
  const age = `Max-Age=${max_age_seconds}`
  return `${name}=${value}; Path=/; ${age}; HttpOnly; SameSite=Lax${secure}`
}
