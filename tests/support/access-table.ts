const EVERY_ROLE = "owner admin analyst billing"
const MANAGERS = "owner admin"
const READERS = "owner admin analyst"
const BOOKKEEPERS = "owner admin billing"

/** The route, the roles whose sessions may, and the scope with which a key may. */
export type Row = [route: string, roles: string, scope?: string]

/** Of a program: another workspace's is missing, one outside a key's program_scope forbidden. */
export const OF_PROGRAMS: Row[] = [
  ["GET    /api/advertiser/affiliate-programs/:id", EVERY_ROLE, "program:read"],
  ["PUT    /api/advertiser/affiliate-programs/:id", MANAGERS, "program:update"],
  ["DELETE /api/advertiser/affiliate-programs/:id", "owner", "program:delete"],
  ["POST   /api/advertiser/affiliate-programs/:id/go-live", MANAGERS, "program:go_live"],
  [
    "POST   /api/advertiser/affiliate-programs/:id/regenerate-api-token",
    MANAGERS,
    "program:regenerate-token",
  ],
  ["GET    /api/advertiser/affiliate-programs/:id/groups", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/affiliate-programs/:id/groups", MANAGERS, "program:update"],
  ["PUT    /api/advertiser/affiliate-programs/:id/groups/:groupId", MANAGERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/partners", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/affiliate-programs/:id/partners", MANAGERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/partners/:partnerId", EVERY_ROLE, "program:read"],
  ["PUT    /api/advertiser/affiliate-programs/:id/partners/:partnerId", MANAGERS, "program:update"],
  [
    "POST   /api/advertiser/affiliate-programs/:id/partners/:partnerId/invite",
    MANAGERS,
    "program:update",
  ],
  ["GET    /api/advertiser/affiliate-programs/:id/referral-links", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/affiliate-programs/:id/referral-links", MANAGERS, "program:update"],
  [
    "PUT    /api/advertiser/affiliate-programs/:id/referral-links/:linkId",
    MANAGERS,
    "program:update",
  ],
  ["GET    /api/advertiser/affiliate-programs/:id/clicks/:clickEventId", READERS],
  ["GET    /api/advertiser/affiliate-programs/:id/leads/:leadEventId", READERS],
  ["GET    /api/advertiser/affiliate-programs/:id/sales/:saleId", EVERY_ROLE, "program:read"],
  ["GET    /api/advertiser/affiliate-programs/:id/customers/:customerKey", READERS],
  [
    "DELETE /api/advertiser/affiliate-programs/:id/customers/:customerKey",
    MANAGERS,
    "program:update",
  ],
  ["DELETE /api/advertiser/affiliate-programs/:id/customers", MANAGERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/commissions", EVERY_ROLE, "program:read"],
  [
    "POST   /api/advertiser/affiliate-programs/:id/commissions/:commissionId/approve",
    BOOKKEEPERS,
    "program:update",
  ],
  [
    "POST   /api/advertiser/affiliate-programs/:id/commissions/:commissionId/reject",
    BOOKKEEPERS,
    "program:update",
  ],
  [
    "POST   /api/advertiser/affiliate-programs/:id/commissions/:commissionId/mark-paid",
    BOOKKEEPERS,
    "program:update",
  ],
  ["GET    /api/advertiser/affiliate-programs/:id/aggregates", EVERY_ROLE, "dashboard:view"],
]

/** Of the workspace that X-Workspace-Id names. */
export const OF_WORKSPACES: Row[] = [
  ["GET    /api/advertiser/affiliate-programs", EVERY_ROLE, "program:list"],
  ["POST   /api/advertiser/affiliate-programs", MANAGERS, "program:create"],
  ["GET    /api/advertiser/notifications", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/notifications/read", BOOKKEEPERS, "program:update"],
  ["GET    /api/advertiser/dashboard/summary", EVERY_ROLE, "dashboard:view"],
  ["GET    /api/advertiser/api-keys", MANAGERS, "*"],
  ["POST   /api/advertiser/api-keys", MANAGERS], // no key makes another
]

/** Of a notice to an advertiser: as of the program that it is about. */
export const OF_NOTICES: Row[] = [
  ["POST   /api/advertiser/notifications/:id/read", BOOKKEEPERS, "program:update"],
]

/** For the person behind a partner: another's is missing. */
export const OF_PARTNERS: Row[] = [
  ["GET    /api/partner/notifications", "partner"],
  ["POST   /api/partner/notifications/read", "partner"],
  ["POST   /api/partner/notifications/:id/read", "partner"],
]

/** Of a key: no key touches one of more programs. */
export const OF_KEYS: Row[] = [
  ["PUT    /api/advertiser/api-keys/:id", MANAGERS, "*"],
  ["DELETE /api/advertiser/api-keys/:id", MANAGERS, "*"],
]

/** Of the workspace in the path, for sessions. */
export const OF_MEMBERS: Row[] = [
  ["GET    /api/workspaces/:id/members", READERS],
  ["POST   /api/workspaces/:id/invitations", MANAGERS],
  ["PUT    /api/workspaces/:id/members/:userId", MANAGERS],
  ["GET    /api/workspaces/:id/audit-log", MANAGERS],
]

/** Of a program, for sessions: here what is not one's own is forbidden, not missing. */
export const OF_REPORTS: Row[] = [
  ["GET    /api/tracking/events/:programId", READERS],
  ["GET    /api/tracking/performance/:programId", EVERY_ROLE],
  ["GET    /api/tracking/breakdown/:programId", READERS],
  ["GET    /api/tracking/status/:programId", READERS],
]

/** For whoever has a session. */
export const OF_SESSIONS = ["POST   /api/auth/sign-out", "GET    /api/auth/session"]

/** For whoever has a program's tracking token, and for the lead also without a credential. */
export const OF_TOKENS = [
  "POST   /api/v1/track/lead",
  "POST   /api/v1/track/sale",
  "POST   /api/v1/track/refund",
]

/** Of a program that has a signing secret: only a signature counts, whatever credential comes. */
export const OF_WEBHOOKS = ["POST   /api/webhooks/stripe/:programId"]

/** Whatever credential comes along. */
export const OF_ANYBODY = [
  "POST   /api/v1/track/click",
  "POST   /api/auth/sign-up",
  "POST   /api/auth/sign-in",
  "POST   /api/auth/accept-invitation",
  "GET    /healthz",
  "GET    /readyz",
  "GET    /status",
  "GET    /service-tracker.js",
  "GET    /openapi.json",
  "GET    /docs",
]

/** The same under another path, in every respect. */
export const ALIASES: Record<string, string> = {
  "POST   /api/tracking/click": "POST   /api/v1/track/click",
  "POST   /api/tracking/lead": "POST   /api/v1/track/lead",
  "POST   /api/tracking/sale": "POST   /api/v1/track/sale",
  "POST   /api/tracking/refund": "POST   /api/v1/track/refund",
  "GET    /js/service-tracker.js": "GET    /service-tracker.js",
}
