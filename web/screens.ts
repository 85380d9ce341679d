import { ADVERTISER_SCREENS } from "./screens/advertiser"
import { PARTNER_SCREENS } from "./screens/partner"
import type { Screen } from "./screens/screen"

/**
 * Every screen that needs a session, by its file: the gateway serves a shell at each path, and the
 * router shows the screen in it. Titles are in words/en/titles.ts.
 */
export const SCREENS = {
  "account/home": { path: "/", area: "account", load: () => import("./account/home") },
  ...ADVERTISER_SCREENS,
  ...PARTNER_SCREENS,
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof SCREENS
