import type { Screen } from "./screen"

/** The screens of the partner portal. Its menu keeps this order. */
export const PARTNER_SCREENS = {
  "partner/home": {
    path: "/partner/programs/:programId",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/home"),
  },
  "partner/links": {
    path: "/partner/programs/:programId/links",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/links"),
  },
  "partner/numbers": {
    path: "/partner/programs/:programId/numbers",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/numbers"),
  },
  "partner/conversions": {
    path: "/partner/programs/:programId/conversions",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/conversions"),
  },
  "partner/statement": {
    path: "/partner/programs/:programId/statement",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/statement"),
  },
  "partner/programs": {
    path: "/partner",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/programs"),
  },
  "partner/postbacks": {
    path: "/partner/postbacks",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/postbacks"),
  },
  "partner/postback": {
    path: "/partner/postbacks/:postbackId",
    area: "partner",
    under: "partner/postbacks",
    load: () => import("../partner/postback"),
  },
  "partner/notifications": {
    path: "/partner/notifications",
    area: "partner",
    inMenu: true,
    load: () => import("../partner/notifications"),
  },
} as const satisfies Record<string, Screen>
