import { config } from "../../lib/config"

/** Browsers keep a __Host- cookie to this host and to https. */
export const COOKIE_NAME = config.public_url?.startsWith("https:") ? "__Host-session" : "session"
const SESSION_MAX_SECONDS = 90 * 24 * 60 * 60 // the service ends it sooner when it lies idle

/** Gives a browser its session. Pages cannot read it, and other sites' requests do not carry it. */
export const sessionCookie = (token: string): string => cookie(token, SESSION_MAX_SECONDS)

/** Takes it away again. */
export const noSessionCookie = (): string => cookie("", 0)

/** The token of a browser's session. Empty: it shows none. */
export function cookieToken(headers: Headers): string {
  const pairs = (headers.get("cookie") ?? "").split(";").map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(`${COOKIE_NAME}=`))?.slice(COOKIE_NAME.length + 1) ?? ""
}

function cookie(value: string, max_age_seconds: number): string {
  const secure = COOKIE_NAME.startsWith("__Host-") ? "; Secure" : ""
  const age = `Max-Age=${max_age_seconds}`
  return `${COOKIE_NAME}=${value}; Path=/; ${age}; HttpOnly; SameSite=Lax${secure}`
}
