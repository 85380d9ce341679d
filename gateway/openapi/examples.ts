import type { TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { Time } from "../../lib/fields"

/** The example of each field. A field has the same meaning everywhere. */
const EXAMPLES: Record<string, unknown> = {
  action: "program.create",
  actor_address: "203.0.113.0",
  address: "203.0.113.0",
  affiliate_url: "https://shop.example/?aff=ada",
  after: 41,
  aliases: ["sub"],
  amount_cents: 4_999,
  api_token: "aff_1a2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p0Xy9Zw",
  api_token_masked: "aff_1a2b3c4d****y9Zw",
  api_version: "2026-11",
  averageOrderValue: 49.99,
  balance_cents: 1_500,
  body: '{"id":"evt_0123456789abcdef0123456789abcdef","type":"sale.recorded"}',
  browser_name: "Chrome",
  click_age_days: 75,
  click_id: "clk_01KAM5Y8Q2V0X3Z7B9D1F4H6JK",
  clicks: 120,
  code: "ada",
  color: "#0a5ea8",
  commission_id: 501,
  commission: 15,
  conversionRate: 2.5,
  conversions: 3,
  cookie_window_days: 60,
  count: 1,
  created: 1_769_860_800,
  createdAt: "2026-01-31T12:00:00.000Z",
  currency: "USD",
  customer: "Customer 7F3KQ2",
  customerKey: "customer-42",
  customer_key: "customer-42",
  date: "2026-01-31",
  dateFrom: "2026-01-01T00:00:00.000Z",
  dateTo: "2026-01-31T23:59:59.999Z",
  deductionAmount: 15,
  details: { status: "paused" },
  description: "Bookkeeping",
  destination_url: "https://shop.example/spring",
  device_os: "Windows",
  device_type: "desktop",
  effective_from: "2030-01-31T12:00:00.000Z",
  email: "ada@shop.example",
  email_masked: "a***@s***.example",
  error: "The program is archived.",
  events: ["sale.recorded", "refund.recorded"],
  event_id: "evt_0123456789abcdef0123456789abcdef",
  event_name: "signup",
  existing_click_id: "clk_01KAM5Y8Q2V0X3Z7B9D1F4H6JK",
  exponent: 2,
  expires_at: "2030-01-31T12:00:00.000Z",
  formula: "54.40 × 30 % = 16.32",
  geo_city: "London",
  geo_country: "GB",
  geo_region: "England",
  group_name: "Default",
  html: "<p>Ada Lovelace invites you.</p>",
  id: "evt_1", // of a Stripe event: other ids are numbers
  ids: [501, 502],
  invited_by_name: "Ada Lovelace",
  is_recurring: false,
  is_test: false,
  key: "affk_1a2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p0Xy9Zw",
  key_masked: "affk_1a2b3c4d****y9Zw",
  label: "Ada Lovelace",
  language: "en-GB",
  leads: 12,
  line_items: { "sku-1": 2 },
  livemode: true,
  logo: "/api/public/logos/9f86d081884c7d659a2feaa0c55ad015",
  macro: "transaction_id",
  message: "The lead is recorded.",
  name: "Ada Lovelace",
  next: 42,
  note: "Blogs about cycling",
  object: { id: "in_1", object: "invoice" },
  page: 1,
  pageCount: 1,
  pageSize: 10,
  page_title: "Spring sale",
  page_url: "https://shop.example/?aff=ada",
  partner_code: "ada",
  partner_id: 7,
  partner_name: "Ada Lovelace",
  partners: 1,
  password: "correct horse battery",
  path: "/programs/59/commissions?needs_approval=true",
  payment_status: "paid",
  period: "7d",
  prefix: "affk_1a2b3c4d",
  problems: ["reporting: 1 row of the feed sales cannot be applied and is set aside."],
  processor_event_id: "order-1001",
  product_id: "sku-1",
  program_ids: [59],
  program_scope: ["59"],
  program_id: 59,
  programId: 59,
  program_name: "Spring offer",
  query: "cid={partner_click_id}&payout={payout}",
  rate_bps: 3_000,
  reason: "The order was cancelled.",
  referrer_url: "https://blog.example/review",
  refund_amount_cents: 1_000,
  refund_id: "refund-1",
  refund_reason: "The order was cancelled.",
  rejection_reason: "The order was cancelled.",
  request_id: "5f1c2c6e-8f5d-4a53-9a3e-0d3a1c9f5b70",
  response_excerpt: "ok",
  response_status: 200,
  revenue: 49.99,
  role: "admin",
  sale_id: 1_001,
  sale_type: "payment",
  scopes: ["*"],
  search: "ada",
  screen_resolution: "1920x1080",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  secret_masked: "whsec_MfKQ9r8G****GKYo",
  sentence: "Earned 16.32 USD: on hold until 8 Dec 2026.",
  session_id: "tab-7f3a",
  since: "2026-01-31T12:00:00.000Z",
  slug: "adas-shop",
  sort: "clicks",
  source: "invoice",
  status: "active",
  statuses: ["approved"],
  stripe_signing_secret: "whsec_1a2b3c4d5e6f7g8h",
  sub_id: "newsletter",
  subject: "Ada Lovelace invites you to Ada's shop",
  subject_type: "program",
  subscription_id: "sub-7",
  subscription_interval: "monthly",
  template: "cid={partner_click_id}&payout={payout}",
  test_mode: false,
  text: "Do not bid on our brand name.",
  timezone: "Europe/London",
  to: "grace@people.example",
  token: "affs_1a2b3c4d5e6f7g8h9i0j1k2l3m4n5o6p0Xy9Zw",
  total: 1,
  tracker: "voluum",
  transaction_id: "order-1001",
  trend: 12.5,
  type: "invoice.paid",
  types: "sale.recorded,refund.recorded",
  until: "2026-01-31T13:00:00.000Z",
  url: "https://shop.example/spring?aff=ada",
  user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0",
  viewport_size: "1280x720",
  "webhook-id": "evt_0123456789abcdef0123456789abcdef",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  "webhook-timestamp": "1769860800",
  website_url: "https://shop.example",
  welcome: "Welcome! We answer questions at partners@shop.example.",
  workspace_name: "Ada's shop",
}

/** Creates a valid value of a schema. `name`: the field that has the schema. */
export function exampleOf(schema: TSchema, name = ""): unknown {
  if (Object.hasOwn(EXAMPLES, name)) {
    const [value, text] = [EXAMPLES[name], `${EXAMPLES[name]}`] // an id in a query is a text
    if (Value.Check(schema, value)) return value
    if (Value.Check(schema, text)) return text
  }
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return exampleOf(schema.anyOf[0], name)
  switch (schema.type) {
    case "object": {
      const fields = Object.entries<TSchema>(schema.properties ?? {})
      return Object.fromEntries(fields.map(([field, part]) => [field, exampleOf(part, field)]))
    }
    case "array":
      return [exampleOf(schema.items)]
    case "integer":
    case "number":
      return schema.minimum ?? 0
    case "boolean":
      return true
    case "null":
      return null
    default:
      if (schema.description === Time.description) return "2026-01-31T12:00:00.000Z"
      throw new Error(`examples.ts has no example of ${name}.`)
  }
}
