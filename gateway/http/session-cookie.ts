import { config } from "../../lib/config"

/** Browsers send a __Host- cookie to this host only, over https only (behaviour 2.5.1). */
export const COOKIE_NAME = config.public_url?.startsWith("https:") ? "__Host-session" : "session"
const SESSION_MAX_SECONDS = 90 * 24 * 60 * 60 // an idle session ends sooner

/** Sets the session of a browser. Scripts cannot read it, and other sites cannot send it. */
export const sessionCookie = (token: string): string => cookie(token, SESSION_MAX_SECONDS)

/** Removes the session cookie. */
export const noSessionCookie = (): string => cookie("", 0)

/** The token in the session cookie. Empty: there is no cookie. */
export function cookieToken(headers: Headers): string {
  const pairs = (headers.get("cookie") ?? "").split(";").map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(`${COOKIE_NAME}=`))?.slice(COOKIE_NAME.length + 1) ?? ""
}

function cookie(value: string, max_age_seconds: number): string {
  const secure = COOKIE_NAME.startsWith("__Host-") ? "; Secure" : ""
  const age = `Max-Age=${max_age_seconds}`
  return `${COOKIE_NAME}=${value}; Path=/; ${age}; HttpOnly; SameSite=Lax${secure}`
}
