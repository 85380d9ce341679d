export const PRODUCTS = [
  { id: "ridge-tent", title: "Ridge 2 tent", amount_cents: 24_900 },
  { id: "ridge-tent", title: "Ridge 2 tent", amount_cents: 24_900 },
  { id: "boots", title: "Granite boots", amount_cents: 15_900 },
  { id: "jacket", title: "Storm jacket", amount_cents: 18_950 },
  { id: "stove", title: "Ember stove", amount_cents: 6_490 },
  { id: "stove", title: "Ember stove", amount_cents: 6_490 },
  { id: "bottle", title: "Trail bottle", amount_cents: 2_990 },
  { id: "bottle", title: "Trail bottle", amount_cents: 2_990 },
] as const
export const MEMBERSHIP = { id: "membership", title: "Membership", amount_cents: 1_200 } as const

export const PLACES = {
  "new york": ["US", "New York", "New York"],
  "san francisco": ["US", "California", "San Francisco"],
  toronto: ["CA", "Ontario", "Toronto"],
  london: ["GB", "England", "London"],
  paris: ["FR", "Île-de-France", "Paris"],
  berlin: ["DE", "Land Berlin", "Berlin"],
  munich: ["DE", "Bavaria", "Munich"],
  zurich: ["CH", "Zurich", "Zurich"],
  stockholm: ["SE", "Stockholm", "Stockholm"],
  tokyo: ["JP", "Tokyo", "Tokyo"],
  sydney: ["AU", "New South Wales", "Sydney"],
} as const

export const AGENTS = {
  iphone: ["mobile", "iOS", "Safari"],
  android: ["mobile", "Android", "Chrome"],
  tablet: ["tablet", "iOS", "Safari"],
  mac: ["desktop", "macOS", "Safari"],
  windows: ["desktop", "Windows", "Chrome"],
  firefox: ["desktop", "Linux", "Firefox"],
} as const

export const REFUND_REASONS = ["Returned unused.", "Arrived damaged.", "Wrong size."]
export const REJECTION_REASONS = [
  "The customer's e-mail address is the partner's own.",
  "The click came from an ad on our own name, which the terms exclude.",
  "The order was cancelled before it was shipped.",
]
