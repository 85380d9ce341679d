import { SESSION_COOKIE } from "./caller"

const SESSION_MAX_SECONDS = 90 * 24 * 60 * 60 // the service ends it sooner when it lies idle

/** Gives a browser its session. Pages cannot read it, and other sites' requests do not carry it. */
export const sessionCookie = (token: string): string => cookie(token, SESSION_MAX_SECONDS)

/** Takes it away again. */
export const noSessionCookie = (): string => cookie("", 0)

function cookie(value: string, max_age_seconds: number): string {
  const secure = SESSION_COOKIE.startsWith("__Host-") ? "; Secure" : ""
  const age = `Max-Age=${max_age_seconds}`
  return `${SESSION_COOKIE}=${value}; Path=/; ${age}; HttpOnly; SameSite=Lax${secure}`
}
