/** What the document says of the whole (openapi.ts). */
const TAGS: [name: string, description: string, paths: RegExp][] = [
  [
    "Tracking",
    "Click → lead → sale → refund, from browsers and backends.",
    /^\/api\/(v1\/track|tracking\/(click|lead|sale|refund)$)/,
  ],
  ["Webhooks", "What a payment processor tells by itself.", /^\/api\/webhooks/],
  [
    "Reports",
    "What became of it: events, daily sums, breakdowns.",
    /^\/api\/tracking|\/(dashboard|aggregates|clicks|leads|sales)\b/,
  ],
  ["Customers", "Whom an advertiser's own key names.", /\/customers/],
  ["Commissions", "What partners have earned, and what becomes of it.", /\/commissions/],
  ["Partners", "The partners of a program, and their links.", /\/(partners|referral-links)/],
  ["Groups", "Groups of partners, and the policies by which they earn.", /\/groups/],
  ["Programs", "Programs and their tracking tokens.", /\/affiliate-programs/],
  ["Notifications", "What advertisers and partners are told.", /\/notifications/],
  ["Keys", "Keys of the Management API.", /\/api-keys/],
  ["Workspaces", "Who belongs to a workspace, and who changed what in it.", /^\/api\/workspaces/],
  ["Accounts", "Signing up, in and out.", /^\/api\/auth/],
  ["Service", "The service itself: its state, its script, its description.", /^/],
]

export const tagOf = (path: string) => TAGS.find(([, , paths]) => paths.test(path))![0]

export const ABOUT = {
  info: {
    title: "Tributary",
    version: "1",
    summary: "Affiliate tracking and program management",
    description: [
      "Records click → lead → sale → refund, decides which partner earned what, and shows it.",
      "Money comes in the smallest unit of its currency (`amount_cents`), except where reports and",
      "refunds answer it in major units. Times are ISO 8601 in UTC.\n\n",
      'Every refusal is `{"error": "a sentence"}`. After 429 and 503 call again when `Retry-After`',
      "is over. A lead, sale or refund may safely be sent again with the same body: it counts once.",
    ].join(" "),
  },
  tags: TAGS.map(([name, description]) => ({ name, description })),
}

export const SECURITY = {
  trackingToken: {
    type: "http",
    scheme: "bearer",
    description: "The tracking token of a program (`aff_…`).",
  },
  session: {
    type: "http",
    scheme: "bearer",
    description: "The token of a dashboard session (`affs_…`), as signing in answers it.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    description: "The same as browsers keep it. Writes then need a page of the same origin.",
  },
  managementKey: {
    type: "http",
    scheme: "bearer",
    description: "A Management API key (`affk_…`) that has the scope named, or `*`.",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "Stripe's signature of the body, under the program's signing secret.",
  },
}

export const HEADERS = {
  "X-Request-Id": {
    description: "Names the request in our log.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Retry-After": {
    description: "So many seconds until it is worth while to call again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
}

type Refusal = { name: string; description: string; example: string }

/** The refusals of all routes, in the words that hold for all. */
export const REFUSALS: Record<number, Refusal> = {
  400: {
    name: "Invalid",
    description: "The query, the body or a field of it is not as described.",
    example: "amount_cents must be a positive integer, in the smallest unit of the currency.",
  },
  401: {
    name: "Unauthorized",
    description: "No credential, or none that is valid here.",
    example: "Sign in, and send the session's token (affs_…) as Authorization: Bearer.",
  },
  403: {
    name: "Forbidden",
    description: "The credential does not allow it, or another site's page sent it.",
    example: "Your role does not allow this.",
  },
  404: {
    name: "Missing",
    description: "What the path or X-Workspace-Id names is not there, or is somebody else's.",
    example: "Nothing is here.",
  },
  413: {
    name: "TooLarge",
    description: "The body is larger than 256 KiB.",
    example: "The body is larger than 262144 bytes.",
  },
  415: {
    name: "Unsupported",
    description: "The body is encoded, or not of the type application/json.",
    example: "The body must be of the type application/json.",
  },
  429: {
    name: "TooMany",
    description: "Too many calls.",
    example: "Too many calls: try again in 7 s.",
  },
  500: {
    name: "Failed",
    description: "It did not come about, and the caller is not to blame. Nothing was written.",
    example: "Something went wrong on our side.",
  },
  503: {
    name: "Unavailable",
    description: "Nobody knows whether it came about: send the same again.",
    example: "A part of the service does not answer: try again.",
  },
}
