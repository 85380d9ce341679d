/** The texts of /openapi.json that belong to no route. */
const TAGS: [name: string, description: string, paths: RegExp][] = [
  [
    "Tracking",
    "Click → lead → sale → refund, from browsers and backends.",
    /^\/api\/(v1\/track|tracking\/(click|lead|sale|refund)$)/,
  ],
  ["Webhooks", "Events from a payment processor.", /^\/api\/webhooks/],
  [
    "Reports",
    "Events, daily metrics and breakdowns.",
    /^\/api\/tracking|\/(dashboard|aggregates|clicks|leads|sales)\b/,
  ],
  ["Postbacks", "Requests to the trackers of partners and advertisers.", /\/postback/],
  ["Customers", "Customers, identified by the advertiser's `customer_key`.", /\/customers/],
  ["Commissions", "Commissions of partners, from approval to payment.", /\/commissions/],
  ["Partners", "The partners of a program, and their links.", /\/(partners|referral-links)/],
  ["Groups", "Groups of partners and their commission policies.", /\/groups/],
  [
    "Programs",
    "Programs, their tracking tokens, terms and branding.",
    /\/affiliate-programs|^\/api\/public/,
  ],
  ["Notifications", "Messages to advertisers and partners.", /\/notifications/],
  ["Keys", "Management API keys.", /\/api-keys/],
  ["Webhook endpoints", "Where an advertiser receives events.", /\/webhook-endpoints/],
  ["Workspaces", "Members, invitations and the audit log of a workspace.", /^\/api\/workspaces/],
  ["Accounts", "Signing up, in and out.", /^\/api\/auth/],
  [
    "Pages",
    "The pages for people, which show what this API serves.",
    /^\/($|web|programs|workspaces|partner|join|sign-|invitation)/,
  ],
  ["Service", "The state of the service, its browser script and this document.", /^/],
]

export const tagOf = (path: string) => TAGS.find(([, , paths]) => paths.test(path))![0]

export const ABOUT = {
  info: {
    title: "Tributary",
    version: "1",
    summary: "Affiliate tracking and program management",
    description: [
      "Records click → lead → sale → refund, decides which partner earned what, and reports it.",
      "`amount_cents` and other fields in cents are integers in the smallest unit of their currency.",
      "Reports and replies to refunds use major units. Times are ISO 8601 in UTC.\n\n",
      'Every error is `{"error": "a sentence"}`. After 429 and 503, wait for `Retry-After` and try',
      "again. Sending the same lead, sale or refund again is safe: it counts once.",
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
    description: "The token of a dashboard session (`affs_…`), from signing in.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    description:
      "The dashboard session of a browser. Writes are accepted from pages of the same origin only.",
  },
  managementKey: {
    type: "http",
    scheme: "bearer",
    description: "A Management API key (`affk_…`) with the named scope, or with `*`.",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "Stripe's signature of the body, made with the program's signing secret.",
  },
}

export const HEADERS = {
  "X-Request-Id": {
    description: "The id of the request, as it appears in the service's logs and traces.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
}

type Refusal = { name: string; description: string; example: string }

/** Refusals that are common to several routes. */
export const REFUSALS: Record<number, Refusal> = {
  400: {
    name: "Invalid",
    description: "The query, the body or one of its fields is invalid.",
    example: "amount_cents must be a positive integer, in the smallest unit of the currency.",
  },
  401: {
    name: "Unauthorized",
    description: "The credential is missing, invalid or of the wrong kind.",
    example: "Sign in, and send the session's token (affs_…) as Authorization: Bearer.",
  },
  403: {
    name: "Forbidden",
    description: "The credential does not allow this, or a page of another site sent the request.",
    example: "Your role does not allow this.",
  },
  404: {
    name: "Missing",
    description:
      "The resource of the path, or the workspace in X-Workspace-Id, does not exist or is not yours.",
    example: "Not found.",
  },
  409: {
    name: "Archived",
    description: "The program is archived.",
    example: "The program is archived and can no longer be changed.",
  },
  413: {
    name: "TooLarge",
    description: "The body is larger than 256 KiB.",
    example: "The body is larger than 262144 bytes.",
  },
  415: {
    name: "Unsupported",
    description: "The body has a Content-Encoding, or is not application/json.",
    example: "The body must be application/json.",
  },
  429: {
    name: "TooMany",
    description: "A rate limit is exceeded.",
    example: "Too many requests. Try again in 7 s.",
  },
  500: {
    name: "Failed",
    description: "Internal error. Nothing was written.",
    example: "Something went wrong on our side.",
  },
  503: {
    name: "Unavailable",
    description: "The outcome is unknown: the request may or may not have taken effect. Try again.",
    example: "Part of the service is not responding. Try again.",
  },
}
