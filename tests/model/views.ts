import { anything, learned, learnedText, time } from "./match"
import { DAY_MS } from "./rules"
import type { Commission, Customer, Group, Link, Partner, Program, Sale } from "./state"

/** What the API shows of each thing, with matchers for what it decides itself. */
const MASKED_TOKEN = /^aff_\w{8}\*{4}\w{4}$/

export const programView = (program: Program) => ({
  id: learned(program, "id"),
  workspace_id: program.owner.workspace_id,
  name: program.name,
  slug: program.slug,
  website_url: "https://shop.example",
  status: program.status,
  currency: program.currency,
  attribution_model: program.attribution_model,
  cookie_window_days: program.cookie_window_days,
  lead_auth: program.lead_auth,
  share_sale_amount: false,
  api_token_masked: learnedText(program, "api_token_masked", MASKED_TOKEN),
  is_demo: false,
  published_at: null,
  created_at: time(program.at),
  updated_at: anything,
})

/** A group shows its newest version, even if that begins later. */
export function groupView(group: Group) {
  const { effective_from, isLater: _, ...policy } = group.policies.at(-1)!
  const version = learned(group.policies.at(-1)!, "version")
  return {
    id: learned(group, "id"),
    name: group.name,
    is_default: group.is_default,
    policy: { ...policy, version, effective_from: time(effective_from) },
  }
}

export const linkView = (link: Link) => ({
  id: learned(link, "id"),
  code: learnedText(link, "code", /^[\w-]{3,64}$/),
  status: link.status,
  destination_url: link.destination_url,
  url: `${link.destination_url ?? "https://shop.example/"}?aff=${link.code}`,
  clicks: link.clicks,
  last_clicked: link.last_clicked && time(link.last_clicked),
  partner_id: learned(link.partner, "id"),
  created_at: time(link.at),
})

export const partnerView = (partner: Partner, program: Program) => ({
  partner_id: learned(partner, "id"),
  email: partner.email,
  name: partner.name,
  status: partner.status,
  group_id: learned(partner.group, "id"),
  balance_cents: partner.balances.get(program.currency) ?? 0,
  balances: [...partner.balances.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, balance_cents]) => ({ currency, balance_cents })),
  account: partner.account ? "bound" : "none",
  clicks: partner.clicks,
  links: partner.links.map(linkView),
  note: null,
  created_at: time(partner.at),
})

export const commissionView = (commission: Commission) => ({
  id: learned(commission, "id"),
  sale_id: learned(commission.sale, "id"),
  transaction_id: commission.sale.transaction_id,
  partner_id: learned(commission.partner, "id"),
  partner_name: commission.partner.name,
  group_id: learned(commission.group, "id"),
  amount_cents: commission.amount_cents,
  currency: commission.currency,
  status: commission.status,
  refund_reason: commission.refund_reason,
  rejection_reason: commission.rejection_reason,
  refunded_cents: commission.refunded_cents,
  net_cents:
    commission.status === "rejected" ? 0 : commission.amount_cents - commission.deducted_cents,
  auto_approve: commission.approvesItself,
  hold_ends_at: time(commission.at, commission.hold_days * DAY_MS),
  policy_version: commission.policy_version,
  created_at: time(commission.at),
})

export const saleView = (sale: Sale, program: Program) => ({
  id: learned(sale, "id"),
  transaction_id: sale.transaction_id,
  program_id: program.id,
  click_id: sale.click_id,
  customer_key: sale.key,
  amount_cents: sale.amount_cents,
  currency: sale.currency,
  sale_type: sale.sale_type,
  payment_status: "paid",
  is_recurring: sale.is_recurring,
  subscription_id: sale.subscription_id,
  subscription_interval: sale.subscription_interval,
  product_id: sale.product_id,
  line_items: sale.line_items,
  is_test: false,
  sale_date: time(sale.at),
  createdAt: time(sale.at),
  commission: sale.commission && commissionView(sale.commission),
})

export const customerView = (customer: Customer, program: Program) => {
  const { click } = customer.attribution
  return {
    id: learned(customer, "id"),
    program_id: program.id,
    click_id: customer.click_id,
    customer_key: customer.key,
    customer_status: customer.status,
    email_masked: customer.email_masked,
    signup_date: customer.signup && time(customer.signup),
    first_purchase_date: customer.purchase && time(customer.purchase),
    partner_id: learned(click.partner, "id"),
    link_id: learned(click.link, "id"),
    click_event_id: learned(click, "id"),
    attributed_at: time(click.at),
    cookie_window_days: click.window_days,
    created_at: time(customer.at),
  }
}
