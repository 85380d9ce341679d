import type { AccessRow } from "./access-table"

/** Routes for a partner's account: 404 for another partner's. */
export const PARTNER_ROUTES: AccessRow[] = [
  ["GET    /api/partner/programs", "partner"],
  ["POST   /api/partner/links", "partner"],
  ["GET    /api/partner/notifications", "partner"],
  ["POST   /api/partner/notifications/read", "partner"],
  ["POST   /api/partner/notifications/:id/read", "partner"],
]

/** Routes of a partner's own postbacks: 404 for another's. */
export const OWN_POSTBACK_ROUTES: AccessRow[] = [
  ["GET    /api/partner/postbacks", "partner"],
  ["POST   /api/partner/postbacks", "partner"],
  ["GET    /api/partner/postbacks/:postbackId", "partner"],
  ["PUT    /api/partner/postbacks/:postbackId", "partner"],
  ["DELETE /api/partner/postbacks/:postbackId", "partner"],
  ["POST   /api/partner/postbacks/:postbackId/test", "partner"],
  ["GET    /api/partner/postbacks/:postbackId/deliveries", "partner"],
  ["GET    /api/partner/postbacks/:postbackId/deliveries/:deliveryId", "partner"],
  ["POST   /api/partner/postbacks/:postbackId/deliveries/:deliveryId/replay", "partner"],
  ["POST   /api/partner/postbacks/:postbackId/replay", "partner"],
]

/** Routes of a program, for its partners: 404 for a program that they have not joined. */
export const JOINED_PROGRAM_ROUTES: AccessRow[] = [
  ["GET    /api/partner/programs/:programId", "partner"],
  ["POST   /api/partner/programs/:programId/terms", "partner"],
  ["GET    /api/partner/programs/:programId/summary", "partner"],
  ["GET    /api/partner/programs/:programId/performance", "partner"],
  ["GET    /api/partner/programs/:programId/breakdown", "partner"],
  ["GET    /api/partner/programs/:programId/conversions", "partner"],
]

/** The same, for routes whose query names the program. */
export const QUERIED_PROGRAM_ROUTES: AccessRow[] = [
  ["GET    /api/partner/links", "partner"],
  ["GET    /api/partner/balances", "partner"],
  ["GET    /api/partner/ledger", "partner"],
  ["GET    /api/partner/decisions", "partner"],
]
