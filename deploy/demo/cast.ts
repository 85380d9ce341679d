import type { AGENTS, PLACES } from "./shop"

/** A version of a group's policy, in force since `days_ago`. */
export type Terms = {
  days_ago: number
  rate_bps: number
  hold_days: number
  auto_approve: boolean
  products: { product_id: string; kind: "fixed"; amount_cents: number }[]
}

/** Where the visitors of a partner come from. A name that is listed twice is twice as likely. */
export type PartnerRole = {
  name: string
  email: string
  group: keyof typeof GROUPS
  joined_days_ago: number
  suspended_days_ago: number | null
  visits_a_day: number // half of it at first, half more at the end
  sign_up_rate: number
  codes: string[]
  referrers: (string | null)[]
  sub_ids: (string | null)[]
  places: (keyof typeof PLACES)[]
  agents: (keyof typeof AGENTS)[]
}

export const HISTORY_DAYS = 90
export const WINDOW_DAYS = 30
export const DEFAULT_RATE_BPS = 1_200

const AUTOMATIC = { days_ago: 92, hold_days: 15, auto_approve: true, products: [] }

/** The groups of the demo program with the versions of their policies, oldest first. */
export const GROUPS = {
  Default: [{ ...AUTOMATIC, rate_bps: DEFAULT_RATE_BPS }],
  Creators: [
    { ...AUTOMATIC, rate_bps: 1_500 },
    { ...AUTOMATIC, rate_bps: 1_800, days_ago: 40 },
  ],
  Reviewers: [
    {
      days_ago: 92,
      rate_bps: 1_000,
      hold_days: 10,
      auto_approve: false,
      products: [{ product_id: "membership", kind: "fixed" as const, amount_cents: 400 }],
    },
  ],
} satisfies Record<string, Terms[]>

/** The partner whose account can sign in to the partner portal. */
export const PORTAL_PARTNER = "ada@example.com"

export const PARTNERS: PartnerRole[] = [
  {
    name: "Ada Reed",
    email: PORTAL_PARTNER,
    group: "Creators",
    joined_days_ago: 91,
    suspended_days_ago: null,
    visits_a_day: 9,
    sign_up_rate: 0.13,
    codes: ["ada-reed", "ada-tents"],
    referrers: [null, null, "https://mail.example.com/", "https://adareed.example/weekend-walks"],
    sub_ids: ["newsletter-11", "newsletter-12", "newsletter-13", "blog"],
    places: ["new york", "new york", "london", "toronto", "san francisco"],
    agents: ["iphone", "iphone", "mac", "windows", "android"],
  },
  {
    name: "Summit Podcast",
    email: "hosts@summit-podcast.example",
    group: "Creators",
    joined_days_ago: 91,
    suspended_days_ago: null,
    visits_a_day: 5,
    sign_up_rate: 0.1,
    codes: ["summit-podcast"],
    referrers: [null, null, null, "https://podcasts.example/summit"],
    sub_ids: [null, "episode-40", "episode-41", "episode-42"],
    places: ["san francisco", "new york", "toronto", "sydney"],
    agents: ["iphone", "android", "mac"],
  },
  {
    name: "Kenji Mori",
    email: "kenji@mori.example",
    group: "Creators",
    joined_days_ago: 76,
    suspended_days_ago: null,
    visits_a_day: 8,
    sign_up_rate: 0.08,
    codes: ["kenji-mori", "kenji-live"],
    referrers: ["https://www.youtube.com/", "https://m.youtube.com/", null],
    sub_ids: [null, "video-description", "pinned-comment"],
    places: ["tokyo", "tokyo", "san francisco", "sydney"],
    agents: ["android", "iphone", "windows", "tablet"],
  },
  {
    name: "Trail and Peak",
    email: "editors@trailandpeak.example",
    group: "Reviewers",
    joined_days_ago: 91,
    suspended_days_ago: null,
    visits_a_day: 8,
    sign_up_rate: 0.12,
    codes: ["trail-and-peak"],
    referrers: ["https://trailandpeak.example/best-tents", "https://www.google.com/"],
    sub_ids: [null, "best-tents", "best-boots"],
    places: ["london", "london", "paris", "new york"],
    agents: ["windows", "windows", "mac", "android", "firefox"],
  },
  {
    name: "Zelt & Berg",
    email: "redaktion@zeltundberg.example",
    group: "Reviewers",
    joined_days_ago: 84,
    suspended_days_ago: null,
    visits_a_day: 6,
    sign_up_rate: 0.1,
    codes: ["zelt-und-berg"],
    referrers: ["https://zeltundberg.example/vergleich", "https://www.google.de/"],
    sub_ids: [null, "vergleich"],
    places: ["berlin", "berlin", "munich", "zurich"],
    agents: ["windows", "firefox", "mac", "android"],
  },
  {
    name: "Marta Lind",
    email: "marta@lind.example",
    group: "Default",
    joined_days_ago: 62,
    suspended_days_ago: null,
    visits_a_day: 7,
    sign_up_rate: 0.07,
    codes: ["marta-lind"],
    referrers: ["https://www.instagram.com/", "https://l.instagram.com/", null],
    sub_ids: ["story", "bio", null],
    places: ["stockholm", "stockholm", "berlin", "london"],
    agents: ["iphone", "iphone", "android"],
  },
  {
    name: "Deal Harbor",
    email: "partners@dealharbor.example",
    group: "Reviewers",
    joined_days_ago: 91,
    suspended_days_ago: null,
    visits_a_day: 6,
    sign_up_rate: 0.11,
    codes: ["deal-harbor"],
    referrers: ["https://dealharbor.example/outdoor", "https://dealharbor.example/today"],
    sub_ids: ["front-page", "category", null],
    places: ["new york", "london", "toronto", "san francisco"],
    agents: ["windows", "windows", "android", "firefox"],
  },
  {
    name: "Clicks R Us",
    email: "traffic@clicks-r-us.example",
    group: "Default",
    joined_days_ago: 48,
    suspended_days_ago: 27,
    visits_a_day: 10,
    sign_up_rate: 0.01,
    codes: ["clicks-r-us"],
    referrers: ["https://clicks-r-us.example/", null],
    sub_ids: [null],
    places: ["san francisco", "paris", "new york"],
    agents: ["windows", "android"],
  },
]
