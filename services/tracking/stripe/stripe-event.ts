import type { StripeEvent } from "../contract"
import type { Reading, RefundPart } from "./reading"
import { at, centsAt, currencyAt, idAt, listAt, paymentAt, textAt } from "./stripe-object"

/**
 * What is to be done about an event of Stripe's, in whichever API version it is written; the rest
 * of it, which names people, is not kept. Null: its type is none of ours.
 */
export function readStripeEvent({ type, livemode = true, data }: StripeEvent): Reading | null {
  const reading = READERS.get(type)?.(data.object) ?? null
  if (livemode || !reading || reading.kind === "nothing") return reading
  if (reading.kind === "sale") return { ...reading, is_test: true, payments: [] }
  return nothing("It is of Stripe's test mode.")
}

const READERS = new Map<string, (object: object) => Reading>([
  ["invoice.paid", readInvoice],
  ["invoice_payment.paid", readInvoicePayment],
  ["checkout.session.completed", readSession],
  ["checkout.session.async_payment_succeeded", readSession],
  ["refund.created", readRefund],
  ["refund.updated", readRefund],
  ["charge.refund.updated", readRefund], // as older versions call it
  ["charge.refunded", readCharge],
])

/** A subscription's payment. Other invoices are ignored: a checkout session may make one too. */
function readInvoice(invoice: object): Reading {
  const subscription_id =
    idAt(invoice, "parent.subscription_details.subscription") ?? idAt(invoice, "subscription")
  if (!subscription_id) return nothing("The invoice is of no subscription.")

  const lines = listAt(invoice, "lines.data")
  const named = [
    at(invoice, "parent.subscription_details.metadata"),
    at(invoice, "subscription_details.metadata"),
    at(invoice, "metadata"),
    ...lines.map(line => at(line, "metadata")),
  ]
  const payments = listAt(invoice, "payments.data").map(paid => at(paid, "payment"))
  return readSale(invoice, "amount_paid", named, {
    transaction_id: idAt(invoice, "id"),
    payments: [invoice, ...payments].flatMap(payment => paymentAt(payment) ?? []),
    fields: {
      sale_type: "subscription",
      is_recurring: true,
      subscription_id,
      product_id: soleProduct(lines),
    },
  })
}

/** What is paid once. A subscription's session is no sale: its invoices are. */
function readSession(session: object): Reading {
  const mode = textAt(session, "mode")
  if (mode !== "payment") return nothing(`A checkout session of the mode ${mode} is no sale.`)
  if (textAt(session, "payment_status") !== "paid") return nothing("It is not paid.")

  const reference = textAt(session, "client_reference_id")
  const referred = reference?.startsWith("clk_")
    ? { service_click_id: reference }
    : { customer_key: reference }
  return readSale(session, "amount_total", [at(session, "metadata"), referred], {
    transaction_id: idAt(session, "payment_intent"),
    payments: [],
    fields: { sale_type: "payment" },
  })
}

type SaleReading = Extract<Reading, { kind: "sale" }>
type Sold = {
  transaction_id: string | undefined
  payments: string[]
  fields: Partial<SaleReading["sale"]>
}

/** Of all the metadata, the first that names a customer counts. */
function readSale(paid: object, amount: string, metadata: unknown[], sold: Sold): Reading {
  const { transaction_id, payments, fields } = sold
  const [amount_cents, currency] = [centsAt(paid, amount), currencyAt(paid)]
  const naming = metadata.find(
    named => textAt(named, "service_click_id") ?? textAt(named, "customer_key"),
  )
  if (!transaction_id) return nothing("It names no payment.")
  if (!amount_cents || !currency) return nothing("No money was paid.")
  if (!naming) return nothing("Its metadata has neither service_click_id nor customer_key.")

  const sale = {
    ...fields,
    transaction_id,
    amount_cents,
    currency,
    click_id: textAt(naming, "service_click_id"),
    customer_key: textAt(naming, "customer_key"),
    product_id: textAt(naming, "product_id") ?? fields.product_id,
  }
  return { kind: "sale", is_test: false, sale, payments }
}

/** The product of an invoice that has no other. */
function soleProduct(lines: unknown[]): string | undefined {
  const products = lines.map(
    line => idAt(line, "pricing.price_details.product") ?? idAt(line, "price.product"),
  )
  return new Set(products).size === 1 ? products[0] : undefined
}

function readInvoicePayment(paid: object): Reading {
  const [payment, transaction_id] = [paymentAt(at(paid, "payment")), idAt(paid, "invoice")]
  if (!payment || !transaction_id) return nothing("It names no payment or no invoice.")
  return { kind: "payment", payment, transaction_id }
}

function readRefund(refund: object): Reading {
  const status = textAt(refund, "status")
  if (status !== "succeeded") return nothing(`The refund is ${status}.`)
  return readRefunds(refund, paymentAt(refund), [partOf(refund)])
}

/** API versions before 2022-11-15 list the refunds of a charge. Later ones tell only the total. */
function readCharge(charge: object): Reading {
  const listed = listAt(charge, "refunds.data")
  const isWhole = listed.length > 0 && at(charge, "refunds.has_more") !== true
  const parts = isWhole
    ? listed.filter(isDone).map(refund => partOf(refund, currencyAt(charge)))
    : [totalOf(charge)]
  return readRefunds(charge, idAt(charge, "payment_intent") ?? idAt(charge, "id"), parts)
}

const isDone = (refund: unknown) => (textAt(refund, "status") ?? "succeeded") === "succeeded"

type Part = { [Name in keyof RefundPart]: RefundPart[Name] | undefined }

function readRefunds(object: object, payment: string | undefined, parts: Part[]): Reading {
  const currency = currencyAt(object)
  if (!payment || !currency) return nothing("It names no payment.")
  if (parts.length === 0 || !parts.every(isPart)) return nothing("No money was refunded.")

  const transaction_id = idAt(object, "invoice") ?? null
  const refund_reason = textAt(object, "reason")
  return { kind: "refund", payment, transaction_id, currency, refund_reason, parts }
}

const isPart = (part: Part): part is RefundPart =>
  part.refund_id !== undefined && part.amount_cents !== undefined

const partOf = (refund: unknown, currency = currencyAt(refund)): Part => ({
  refund_id: idAt(refund, "id"),
  amount_cents: centsAt(refund, "amount", currency),
  is_total: false,
})

/** What it tells of has no id of its own: it is this charge at this total. */
function totalOf(charge: object): Part {
  const amount_cents = centsAt(charge, "amount_refunded")
  return { refund_id: `${idAt(charge, "id")} ${amount_cents}`, amount_cents, is_total: true }
}

const nothing = (reason: string): Reading => ({ kind: "nothing", reason })
