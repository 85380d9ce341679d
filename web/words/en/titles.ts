import type { ScreenName } from "../../screens"

/** The title of each screen, in its heading, its browser tab and its menu. */
export const titles: Record<ScreenName, string> = {
  "account/home": "Home",
  "advertiser/programs": "Programs",
  "advertiser/new-program": "New program",
  "advertiser/overview": "Overview",
  "advertiser/live": "Live",
  "advertiser/events": "Events",
  "advertiser/integration": "Integration",
  "advertiser/first-run": "First click, lead and sale",
  "partner/programs": "Programs",
  "partner/notifications": "Notifications",
  "partner/home": "Home",
  "partner/links": "Links",
  "partner/numbers": "Numbers",
  "partner/conversions": "Conversions",
  "partner/statement": "Statement",
  "advertiser/commissions": "Commissions",
  "advertiser/decision": "Decision of a sale",
  "advertiser/journey": "Journey of a customer",
  "advertiser/partners": "Partners",
  "advertiser/partner": "Partner",
  "advertiser/groups": "Groups",
  "advertiser/group": "Group",
  "advertiser/links": "Links",
}
