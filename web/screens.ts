import type { Action } from "../services/identity/contract"

/** The part of the dashboard that a screen belongs to, and whose menu lists it. */
export type Area = "program" | "workspace" | "partner" | "account"

export type Screen = {
  path: string
  area: Area
  /** What a member must be permitted to do. Absent: anyone who is signed in may see it. */
  may?: Action
  inMenu?: true
  /** Loads the screen's chunk, whose default export is its component. */
  load: () => Promise<{ default: () => preact.JSX.Element }>
}

/**
 * Every screen that needs a session, by its file: the gateway serves a shell at each path, and the
 * router shows the screen in it. Titles are in words/en/titles.ts. Menus keep this order.
 */
export const SCREENS = {
  "account/home": { path: "/", area: "account", load: () => import("./account/home") },
  "advertiser/programs": {
    path: "/programs",
    area: "workspace",
    may: "program:list",
    inMenu: true,
    load: () => import("./advertiser/programs"),
  },
  "advertiser/new-program": {
    path: "/programs/new",
    area: "workspace",
    may: "program:create",
    load: () => import("./advertiser/new-program"),
  },
  "advertiser/overview": {
    path: "/programs/:id",
    area: "program",
    may: "performance:read",
    inMenu: true,
    load: () => import("./advertiser/overview"),
  },
  "advertiser/live": {
    path: "/programs/:id/live",
    area: "program",
    may: "tracking:list",
    inMenu: true,
    load: () => import("./advertiser/live"),
  },
  "advertiser/events": {
    path: "/programs/:id/events",
    area: "program",
    may: "tracking:list",
    inMenu: true,
    load: () => import("./advertiser/events"),
  },
  "advertiser/integration": {
    path: "/programs/:id/integration",
    area: "program",
    may: "tracking:read",
    inMenu: true,
    load: () => import("./advertiser/integration"),
  },
  "advertiser/first-run": {
    path: "/programs/:id/first-run",
    area: "program",
    may: "tracking:read",
    load: () => import("./advertiser/first-run"),
  },
  "partner/home": {
    path: "/partner/programs/:programId",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/home"),
  },
  "partner/links": {
    path: "/partner/programs/:programId/links",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/links"),
  },
  "partner/numbers": {
    path: "/partner/programs/:programId/numbers",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/numbers"),
  },
  "partner/conversions": {
    path: "/partner/programs/:programId/conversions",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/conversions"),
  },
  "partner/statement": {
    path: "/partner/programs/:programId/statement",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/statement"),
  },
  "partner/programs": {
    path: "/partner",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/programs"),
  },
  "partner/notifications": {
    path: "/partner/notifications",
    area: "partner",
    inMenu: true,
    load: () => import("./partner/notifications"),
  },
  "advertiser/commissions": {
    path: "/programs/:id/commissions",
    area: "program",
    may: "commission:read",
    inMenu: true,
    load: () => import("./advertiser/commissions"),
  },
  "advertiser/decision": {
    path: "/programs/:id/sales/:saleId",
    area: "program",
    may: "commission:read",
    load: () => import("./advertiser/decision"),
  },
  "advertiser/journey": {
    path: "/programs/:id/customers/:customerKey",
    area: "program",
    may: "commission:read",
    load: () => import("./advertiser/journey"),
  },
  "advertiser/partners": {
    path: "/programs/:id/partners",
    area: "program",
    may: "program:read",
    inMenu: true,
    load: () => import("./advertiser/partners"),
  },
  "advertiser/partner": {
    path: "/programs/:id/partners/:partnerId",
    area: "program",
    may: "program:read",
    load: () => import("./advertiser/partner"),
  },
  "advertiser/groups": {
    path: "/programs/:id/groups",
    area: "program",
    may: "program:read",
    inMenu: true,
    load: () => import("./advertiser/groups"),
  },
  "advertiser/group": {
    path: "/programs/:id/groups/:groupId",
    area: "program",
    may: "program:read",
    load: () => import("./advertiser/group"),
  },
  "advertiser/links": {
    path: "/programs/:id/links",
    area: "program",
    may: "program:read",
    inMenu: true,
    load: () => import("./advertiser/links"),
  },
  "advertiser/program-settings": {
    path: "/programs/:id/settings",
    area: "program",
    may: "program:update",
    inMenu: true,
    load: () => import("./advertiser/program-settings"),
  },
  "advertiser/branding": {
    path: "/programs/:id/branding",
    area: "program",
    may: "program:update",
    inMenu: true,
    load: () => import("./advertiser/branding"),
  },
  "advertiser/notifications": {
    path: "/workspaces/:id/notifications",
    area: "workspace",
    may: "commission:read",
    inMenu: true,
    load: () => import("./advertiser/notifications"),
  },
  "advertiser/keys": {
    path: "/workspaces/:id/api-keys",
    area: "workspace",
    may: "api_key:manage",
    inMenu: true,
    load: () => import("./advertiser/keys"),
  },
  "advertiser/members": {
    path: "/workspaces/:id/members",
    area: "workspace",
    may: "member:list",
    inMenu: true,
    load: () => import("./advertiser/members"),
  },
  "advertiser/audit-log": {
    path: "/workspaces/:id/audit-log",
    area: "workspace",
    may: "audit_log:read",
    inMenu: true,
    load: () => import("./advertiser/audit-log"),
  },
  "advertiser/workspaces": {
    path: "/workspaces",
    area: "workspace",
    inMenu: true,
    load: () => import("./advertiser/workspaces"),
  },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof SCREENS
