import { config } from "../../lib/config"

/** Browsers send a __Host- cookie to this host only, over https only (behaviour 2.5.1). */
export const COOKIE_NAME = config.public_url?.startsWith("https:") ? "__Host-session" : "session"
const SESSION_MAX_SECONDS = 90 * 24 * 60 * 60 // an idle session ends sooner

/** The Set-Cookie value of a session. Scripts cannot read it; cross-site writes do not carry it. */
export const sessionCookie = (token: string): string => cookie(token, SESSION_MAX_SECONDS)

/** The Set-Cookie value that removes the session. */
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
