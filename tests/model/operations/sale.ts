import type { Send } from "../client"
import { managed, readAs } from "../compare/pages"
import { daysBetween, learned, text } from "../match"
import { momentBeside, newMoment } from "../moment"
import { addMonths, book, earned, policyOf, rules } from "../rules"
import type { Commission, Customer, Program, Sale } from "../state"
import type { World } from "../world"
import { findWithToken } from "./customers"
import { randomKey } from "./lead"
import type { Operation } from "./operation"
import { randomSale } from "./purchases"
import { randomClickId } from "./visits"

const CONFLICT = { error: "Conflict", message: text(), statusCode: 409 }
const error = { error: text() }

export function sale(program: Program, world: World): Operation {
  const { random } = program
  const click_id = random.happens(0.75) ? randomClickId(program, world) : undefined
  const customer_key = random.happens(0.65) ? randomKey(program, click_id) : undefined
  const { fields, isDuplicate, isForeign } = randomSale(program, world)
  const at = newMoment()
  const inAnyCase = (code: string) => (random.happens(0.1) ? code.toLowerCase() : code)
  const request = {
    kind: "sale",
    method: "POST",
    path: random.happens(0.9) ? "/api/v1/track/sale" : "/api/tracking/sale",
    token: program.api_token,
    body: { ...fields, currency: inAnyCase(fields.currency), click_id, customer_key },
    about: [
      `click ${click_id}`,
      `key ${customer_key}`,
      `transaction ${fields.transaction_id}`,
      `subscription ${fields.subscription_id}`,
    ],
    at,
  }
  if (program.status === "archived") return { ...request, status: 401, expected: error }
  if (isDuplicate) return { ...request, status: 409, expected: CONFLICT }
  const found = findWithToken(program, customer_key ?? null, click_id ?? null)
  if (!found) return { ...request, status: 400, expected: error }

  const first = fields.is_recurring ? firstOf(program, fields.subscription_id) : null
  const source = first?.source ?? found.attribution.click
  if (source.partner.status === "removed") return { ...request, status: 400, expected: error }
  if (isForeign) return { ...request, status: 409, expected: CONFLICT }

  const isInTime = rules.isInWindow(found as unknown as Customer, world.now)
  const group = source.partner.group
  const policy = policyOf(group, world.now)
  const isOver =
    first !== null &&
    first.duration_months !== null &&
    (first.duration_months === 0 || world.now > addMonths(first.nominal, first.duration_months))
  const isAttributed = first !== null || isInTime
  const sold: Sale = {
    id: 0,
    click_id: null,
    key: null,
    ...fields,
    source,
    isAttributed,
    isRenewal: first !== null,
    converts: false,
    duration_months: first ? first.duration_months : policy.duration_months,
    commission: null,
    at,
    nominal: world.now,
  }
  if (isAttributed && !isOver) {
    sold.commission = {
      id: 0,
      sale: sold,
      partner: source.partner,
      group,
      ...earned(policy, sold, program),
      status: "pending",
      wasPaid: false,
      isFinal: false,
      refund_ids: [],
      refunded_cents: 0,
      deducted_cents: 0,
      refund_reason: null,
      rejection_reason: null,
      hold_days: policy.hold_days,
      approvesItself: policy.auto_approve && source.partner.status !== "suspended",
      policy_version: policy.version,
      at: momentBeside(at),
      nominal: world.now,
    } satisfies Commission
  }
  return {
    ...request,
    status: 200,
    expected: {
      success: true,
      sale_id: learned(sold, "id"),
      ...reply(sold),
      message: text(),
    },
    apply: () => store(sold, found.bind(at), program),
    repeated: { status: 409, expected: CONFLICT },
    applyRepeated: async send => {
      store(sold, found.bind(at), program)
      if (sold.id === 0) await learnIds(sold, program, send)
    },
  }
}

/** Reads the ids that a lost answer had. */
async function learnIds(sold: Sale, program: Program, send: Send) {
  const { id, owner } = program
  const path = `/api/tracking/events/${id}?eventType=conversion&pageSize=1`
  const [row] = (await readAs(send, owner.session, path)).data
  if (row?.processor_event_id === sold.transaction_id) sold.id = row.id
  const shown = await readAs(send, owner.session, managed(program, `/sales/${sold.id}`))
  if (sold.commission) sold.commission.id = shown.data.commission?.id ?? 0
}

/** The first attributed sale of a subscription, which its renewals follow. */
const firstOf = ({ sales }: Program, subscription_id: string | null) =>
  (subscription_id &&
    sales.find(
      sale => sale.subscription_id === subscription_id && sale.isAttributed && !sale.isRenewal,
    )) ||
  null

function reply({ commission, isAttributed, source, at }: Sale) {
  if (commission) return { commission_id: learned(commission, "id") }
  if (isAttributed) {
    return { commission_id: null, attributed: true, reason: "commission_duration_ended" }
  }
  return {
    commission_id: null,
    attributed: false,
    reason: "attribution_window_expired",
    click_age_days: daysBetween(source.at, at),
    window_days: source.window_days,
  }
}

function store(sold: Sale, customer: Customer, program: Program) {
  sold.click_id = customer.click_id
  sold.key = customer.key
  if (customer.status !== "conversion") {
    sold.converts = true
    customer.status = "conversion"
    customer.purchase = sold.at
    for (const event of [...customer.clicks, ...customer.leads]) event.converted = true
  }
  if (sold.isAttributed && sold.source === customer.attribution.click) {
    customer.attribution.isConverted = true
  }
  customer.sales.push(sold)
  program.sales.push(sold)
  if (!sold.commission) return
  program.commissions.push(sold.commission)
  book(sold.commission, "commission", sold.commission.amount_cents)
}
