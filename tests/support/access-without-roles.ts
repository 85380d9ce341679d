import { SCREENS } from "../../web/screens"

/** Routes that any session may call. */
export const SESSION_ROUTES = [
  "POST   /api/auth/sign-out",
  "GET    /api/auth/session",
  "GET    /api/auth/notification-settings",
  "PUT    /api/auth/notification-settings",
  "POST   /api/workspaces",
]

/** Routes for a program's tracking token. A lead is also accepted without a credential. */
export const TOKEN_ROUTES = [
  "POST   /api/v1/track/lead",
  "POST   /api/v1/track/sale",
  "POST   /api/v1/track/refund",
]

/** Webhooks of a program with a signing secret: only the signature counts, not the credential. */
export const WEBHOOK_ROUTES = ["POST   /api/webhooks/stripe/:programId"]

/** Routes that ignore the credential, of a published program: 404 where none is. */
export const PUBLIC_PROGRAM_ROUTES = [
  "GET    /api/public/programs/:slug",
  "GET    /join/:slug",
  "GET    /api/public/logos/:logo",
]

/** Routes that ignore the credential. */
export const PUBLIC_ROUTES = [
  "POST   /api/v1/track/click",
  "POST   /api/auth/sign-up",
  "POST   /api/auth/sign-in",
  "POST   /api/auth/show-invitation",
  "POST   /api/auth/accept-invitation",
  "GET    /healthz",
  "GET    /readyz",
  "GET    /status",
  "GET    /service-tracker.js",
  "GET    /api/currencies",
  "GET    /api/postback-macros",
  "GET    /openapi.json",
  "GET    /docs",
  "GET    /dev/outbox",
  "GET    /web/:file",
  "GET    /sign-in",
  "POST   /sign-in",
  "GET    /sign-up",
  "POST   /sign-up",
  "GET    /unsubscribe/:token",
  "POST   /unsubscribe/:token",
  "GET    /invitation",
  "POST   /invitation",
  ...Object.values(SCREENS).map(({ path }) => `GET    ${path}`),
]

/** Aliases: another path for a route, with exactly the same behaviour. */
export const ALIASES: Record<string, string> = {
  "POST   /api/tracking/click": "POST   /api/v1/track/click",
  "POST   /api/tracking/lead": "POST   /api/v1/track/lead",
  "POST   /api/tracking/sale": "POST   /api/v1/track/sale",
  "POST   /api/tracking/refund": "POST   /api/v1/track/refund",
  "GET    /js/service-tracker.js": "GET    /service-tracker.js",
}
