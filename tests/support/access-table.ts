const EVERY_ROLE = "owner admin analyst billing"
const MANAGERS = "owner admin"
const READERS = "owner admin analyst"
const BOOKKEEPERS = "owner admin billing"
const CUSTOMER = "/api/advertiser/affiliate-programs/:id/customers/:customerKey"
const COMMISSION = "/api/advertiser/affiliate-programs/:id/commissions/:commissionId"

/** A route, the roles whose sessions may call it, and the scopes of which a key needs one. */
export type AccessRow = [route: string, roles: string, scope?: string]

/** Routes of a program: 404 for another workspace's, 403 outside a key's program_scope. */
export const PROGRAM_ROUTES: AccessRow[] = [
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
  [
    "GET    /api/advertiser/affiliate-programs/:id/groups/:groupId/policies",
    EVERY_ROLE,
    "program:read",
  ],
  ["GET    /api/advertiser/affiliate-programs/:id/partners", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/affiliate-programs/:id/partners", MANAGERS, "program:update"],
  ["POST   /api/advertiser/affiliate-programs/:id/partners/bulk", MANAGERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/partners/:partnerId", EVERY_ROLE, "program:read"],
  ["PUT    /api/advertiser/affiliate-programs/:id/partners/:partnerId", MANAGERS, "program:update"],
  [
    "GET    /api/advertiser/affiliate-programs/:id/partners/:partnerId/performance",
    EVERY_ROLE,
    "program:read",
  ],
  [
    "POST   /api/advertiser/affiliate-programs/:id/partners/:partnerId/invite",
    MANAGERS,
    "program:update",
  ],
  [
    "DELETE /api/advertiser/affiliate-programs/:id/partners/:partnerId/account",
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
  ["GET    /api/advertiser/affiliate-programs/:id/tracking-calls", READERS],
  ["GET    /api/advertiser/affiliate-programs/:id/sales/:saleId", EVERY_ROLE, "program:read"],
  ["GET    /api/advertiser/affiliate-programs/:id/customers/:customerKey", READERS],
  [
    "DELETE /api/advertiser/affiliate-programs/:id/customers/:customerKey",
    MANAGERS,
    "program:update",
  ],
  ["DELETE /api/advertiser/affiliate-programs/:id/customers", MANAGERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/commissions", EVERY_ROLE, "program:read"],
  [`GET    ${COMMISSION}/entries`, EVERY_ROLE, "program:read"],
  [`GET    ${CUSTOMER}/journey`, EVERY_ROLE, "program:read"],
  ["GET    /api/advertiser/affiliate-programs/:id/decisions", EVERY_ROLE, "program:read"],
  ["GET    /api/advertiser/affiliate-programs/:id/attention", EVERY_ROLE, "program:read"],
  ["GET    /api/advertiser/affiliate-programs/:id/commissions/summary", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/affiliate-programs/:id/commissions/bulk", BOOKKEEPERS, "program:update"],
  [`POST   ${COMMISSION}/approve`, BOOKKEEPERS, "program:update"],
  [`POST   ${COMMISSION}/reject`, BOOKKEEPERS, "program:update"],
  [`POST   ${COMMISSION}/mark-paid`, BOOKKEEPERS, "program:update"],
  ["GET    /api/advertiser/affiliate-programs/:id/aggregates", EVERY_ROLE, "dashboard:view"],
  [
    "GET    /api/advertiser/affiliate-programs/:id/event-log",
    EVERY_ROLE,
    "program:read webhook:manage",
  ],
]

const PROGRAM_POSTBACKS = "/api/advertiser/affiliate-programs/:id/postbacks"
const PARTNER_POSTBACKS = "/api/advertiser/affiliate-programs/:id/partners/:partnerId/postbacks"

/** Routes of the postbacks that a program sends for all its partners. */
export const PROGRAM_POSTBACK_ROUTES: AccessRow[] = [
  [`GET    ${PROGRAM_POSTBACKS}`, EVERY_ROLE, "program:read"],
  [`POST   ${PROGRAM_POSTBACKS}`, MANAGERS, "program:update"],
  [`GET    ${PROGRAM_POSTBACKS}/:postbackId`, EVERY_ROLE, "program:read"],
  [`PUT    ${PROGRAM_POSTBACKS}/:postbackId`, MANAGERS, "program:update"],
  [`DELETE ${PROGRAM_POSTBACKS}/:postbackId`, MANAGERS, "program:update"],
  [`POST   ${PROGRAM_POSTBACKS}/:postbackId/test`, MANAGERS, "program:update"],
  [`GET    ${PROGRAM_POSTBACKS}/:postbackId/deliveries`, EVERY_ROLE, "program:read"],
  [`GET    ${PROGRAM_POSTBACKS}/:postbackId/deliveries/:deliveryId`, EVERY_ROLE, "program:read"],
  [
    `POST   ${PROGRAM_POSTBACKS}/:postbackId/deliveries/:deliveryId/replay`,
    MANAGERS,
    "program:update",
  ],
  [`POST   ${PROGRAM_POSTBACKS}/:postbackId/replay`, MANAGERS, "program:update"],
]

/** Routes of the postbacks that a program sends for one partner. */
export const PARTNER_POSTBACK_ROUTES: AccessRow[] = [
  [`GET    ${PARTNER_POSTBACKS}`, EVERY_ROLE, "program:read"],
  [`POST   ${PARTNER_POSTBACKS}`, MANAGERS, "program:update"],
  [`GET    ${PARTNER_POSTBACKS}/:postbackId`, EVERY_ROLE, "program:read"],
  [`PUT    ${PARTNER_POSTBACKS}/:postbackId`, MANAGERS, "program:update"],
  [`DELETE ${PARTNER_POSTBACKS}/:postbackId`, MANAGERS, "program:update"],
  [`POST   ${PARTNER_POSTBACKS}/:postbackId/test`, MANAGERS, "program:update"],
  [`GET    ${PARTNER_POSTBACKS}/:postbackId/deliveries`, EVERY_ROLE, "program:read"],
  [`GET    ${PARTNER_POSTBACKS}/:postbackId/deliveries/:deliveryId`, EVERY_ROLE, "program:read"],
  [
    `POST   ${PARTNER_POSTBACKS}/:postbackId/deliveries/:deliveryId/replay`,
    MANAGERS,
    "program:update",
  ],
  [`POST   ${PARTNER_POSTBACKS}/:postbackId/replay`, MANAGERS, "program:update"],
]

/** Routes of a program, for sessions only: 404 for another workspace's. */
export const PROGRAM_SESSION_ROUTES: AccessRow[] = [
  ["GET    /api/advertiser/affiliate-programs/:id/branding", EVERY_ROLE],
  ["PUT    /api/advertiser/affiliate-programs/:id/branding", MANAGERS],
  ["GET    /api/advertiser/affiliate-programs/:id/terms", EVERY_ROLE],
  ["PUT    /api/advertiser/affiliate-programs/:id/terms", MANAGERS],
]

/** Routes of the workspace that X-Workspace-Id names. */
export const WORKSPACE_ROUTES: AccessRow[] = [
  ["GET    /api/advertiser/affiliate-programs", EVERY_ROLE, "program:list"],
  ["POST   /api/advertiser/affiliate-programs", MANAGERS, "program:create"],
  ["GET    /api/advertiser/notifications", EVERY_ROLE, "program:read"],
  ["POST   /api/advertiser/notifications/read", BOOKKEEPERS, "program:update"],
  ["GET    /api/advertiser/dashboard/summary", EVERY_ROLE, "dashboard:view"],
  ["GET    /api/advertiser/api-keys", MANAGERS, "*"],
  ["POST   /api/advertiser/api-keys", MANAGERS], // a key cannot create a key
  ["GET    /api/advertiser/webhook-endpoints", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints", MANAGERS, "webhook:manage"],
]

/** Routes of an advertiser's notification: the same rules as for its program. */
export const NOTIFICATION_ROUTES: AccessRow[] = [
  ["POST   /api/advertiser/notifications/:id/read", BOOKKEEPERS, "program:update"],
]

/** Routes of a key: a key cannot change one that covers more programs. */
export const KEY_ROUTES: AccessRow[] = [
  ["PUT    /api/advertiser/api-keys/:id", MANAGERS, "*"],
  ["DELETE /api/advertiser/api-keys/:id", MANAGERS, "*"],
]

/** Routes of a webhook endpoint: missing for a key that is limited to fewer programs. */
export const ENDPOINT_ROUTES: AccessRow[] = [
  ["GET    /api/advertiser/webhook-endpoints/:id", MANAGERS, "webhook:manage"],
  ["PUT    /api/advertiser/webhook-endpoints/:id", MANAGERS, "webhook:manage"],
  ["DELETE /api/advertiser/webhook-endpoints/:id", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints/:id/enable", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints/:id/disable", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints/:id/rotate-secret", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints/:id/test", MANAGERS, "webhook:manage"],
  ["POST   /api/advertiser/webhook-endpoints/:id/replay", MANAGERS, "webhook:manage"],
  ["GET    /api/advertiser/webhook-endpoints/:id/deliveries", MANAGERS, "webhook:manage"],
  [
    "GET    /api/advertiser/webhook-endpoints/:id/deliveries/:deliveryId",
    MANAGERS,
    "webhook:manage",
  ],
  [
    "POST   /api/advertiser/webhook-endpoints/:id/deliveries/:deliveryId/replay",
    MANAGERS,
    "webhook:manage",
  ],
]

/** Routes of the workspace in the path, for sessions only. */
export const MEMBER_ROUTES: AccessRow[] = [
  ["GET    /api/workspaces/:id/members", READERS],
  ["PUT    /api/workspaces/:id", MANAGERS],
  ["GET    /api/workspaces/:id/invitations", READERS],
  ["POST   /api/workspaces/:id/invitations", MANAGERS],
  ["DELETE /api/workspaces/:id/invitations/:invitationId", MANAGERS],
  ["DELETE /api/workspaces/:id/members/:userId", MANAGERS],
  ["PUT    /api/workspaces/:id/members/:userId", MANAGERS],
  ["GET    /api/workspaces/:id/audit-log", MANAGERS],
]

/** Reports of a program, for sessions only: another workspace's is 403 here, not 404. */
export const REPORT_ROUTES: AccessRow[] = [
  ["GET    /api/tracking/events/:programId", READERS],
  ["GET    /api/tracking/performance/:programId", EVERY_ROLE],
  ["GET    /api/tracking/breakdown/:programId", READERS],
  ["GET    /api/tracking/status/:programId", READERS],
]
