import type { Random } from "../../lib/random"
import type { Moment } from "./moment"

/** What the model knows. Ids are 0 until a reply has shown them (match.ts). */
export type Terms = { kind: "percent"; rate_bps: number } | { kind: "fixed"; amount_cents: number }

export type Policy = Terms & {
  version: number
  effective_from: Moment
  isLater: boolean // than it was saved
  duration_months: number | null
  hold_days: number
  auto_approve: boolean
  products: (Terms & { product_id: string })[]
}

export type Group = { id: number; name: string; is_default: boolean; policies: Policy[] }

export type Partner = {
  id: number
  email: string
  name: string
  status: "approved" | "suspended" | "removed"
  group: Group
  clicks: number
  links: Link[]
  balances: Map<string, number>
  entries: Entry[]
  notices: Notice[]
  account: { email: string; session: string } | null // the partner's own
  at: Moment
}

/** A line of the ledger. */
type Entry = { kind: string; currency: string; amount_cents: number; commission: Commission }

export type Link = {
  id: number
  code: string
  status: "active" | "inactive"
  destination_url: string | null
  clicks: number
  last_clicked: Moment | null
  partner: Partner
  at: Moment
}

/** Which click earns what a customer does. */
type Attribution = { click: Click; isConverted: boolean }

export type Customer = {
  id: number
  click_id: string | null // null once erased
  isNamed: boolean // whether the click_id finds this customer
  key: string | null
  isProvisional: boolean
  email_masked: string | null
  status: "click" | "lead" | "conversion"
  signup: Moment | null
  purchase: Moment | null
  attribution: Attribution
  clicks: Click[]
  leads: Lead[]
  sales: Sale[]
  at: Moment
}

export type Dimensions = {
  device_type: string
  device_os: string | null
  browser_name: string | null
  referrer: string | null // the host
}

export type Click = Dimensions & {
  id: number
  click_id: string | null
  session_id: string | null
  page_url: string | null
  referrer_url: string | null
  window_days: number
  partner: Partner
  link: Link
  converted: boolean
  at: Moment
  nominal: number // the time of the round, which the model decides by
}

export type Lead = {
  id: number
  click_id: string | null
  key: string | null
  session_id: string | null
  page_url: string | null
  source: Click
  converted: boolean
  at: Moment
}

export type Sale = {
  id: number
  transaction_id: string
  click_id: string | null
  key: string | null
  amount_cents: number
  currency: string
  sale_type: string
  is_recurring: boolean
  subscription_id: string | null
  subscription_interval: string | null
  product_id: string | null
  line_items: unknown
  source: Click
  isAttributed: boolean
  isRenewal: boolean // it follows an earlier sale of its subscription
  converts: boolean
  duration_months: number | null // of the policy, for its renewals
  commission: Commission | null
  at: Moment
  nominal: number
}

export type Status = "pending" | "approved" | "paid" | "rejected" | "reversed" | "refunded"

export type Commission = {
  id: number
  sale: Sale
  partner: Partner
  group: Group
  amount_cents: number
  currency: string
  status: Status
  wasPaid: boolean
  isFinal: boolean
  refund_ids: string[]
  refunded_cents: number
  deducted_cents: number
  refund_reason: string | null
  rejection_reason: string | null
  hold_days: number
  approvesItself: boolean
  policy_version: number
  at: Moment
  nominal: number
}

export type Notice = {
  id: number
  kind: string
  commission: Commission
  mentions: string[]
  at: Moment
}

export type Program = {
  number: number
  random: Random
  owner: { email: string; session: string; key: string; workspace_id: number }
  id: number
  name: string
  slug: string
  api_token: string
  api_token_masked: string
  old_tokens: string[]
  status: "active" | "paused" | "archived"
  currency: string
  attribution_model: "last_click" | "first_click"
  cookie_window_days: number
  lead_auth: "browser" | "server"
  at: Moment
  groups: Group[]
  partners: Partner[]
  links: Link[]
  customers: Customer[]
  clicks: Click[]
  leads: Lead[]
  sales: Sale[]
  commissions: Commission[]
  notices: Notice[] // the advertiser's
  tests: Record<"click" | "lead" | "sale", { id: number; at: Moment }[]>
  journal: { number: number; line: string; about: string[] }[]
  serial: number // for names
  isRetired: boolean // nothing is done to it any more
  isAbandoned: boolean // a difference was found, so the model no longer knows it
}
