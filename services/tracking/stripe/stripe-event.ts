import type { StripeEvent } from "../contract"
import type { Reading, RefundPart } from "./reading"
import { centsAt, currencyAt, idAt, listAt, paymentAt, textAt, valueAt } from "./stripe-object"

/**
 * Returns what is to be done about a Stripe event of any API version. The rest of the event holds
 * personal data and is not kept. Null: events of this type are not handled.
 */
export function readStripeEvent({ type, livemode, data }: StripeEvent): Reading | null {
  const reading = READERS.get(type)?.(data.object) ?? null
  if (livemode || !reading || reading.kind === "ignored") return reading
  if (reading.kind === "sale") return { ...reading, is_test: true, payments: [] }
  return ignored("The event is from Stripe's test mode.")
}

const READERS = new Map<string, (object: object) => Reading>([
  ["invoice.paid", readInvoice],
  ["invoice_payment.paid", readInvoicePayment],
  ["checkout.session.completed", readSession],
  ["checkout.session.async_payment_succeeded", readSession],
  ["refund.created", readRefund],
  ["refund.updated", readRefund],
  ["charge.refund.updated", readRefund], // in older API versions
  ["charge.refunded", readCharge],
])

/** Reads a subscription's payment. Ignores other invoices, which a checkout session may create. */
function readInvoice(invoice: object): Reading {
  const subscription_id =
    idAt(invoice, "parent.subscription_details.subscription") ?? idAt(invoice, "subscription")
  if (!subscription_id) return ignored("The invoice does not belong to a subscription.")

  const lines = listAt(invoice, "lines.data")
  const metadata = [
    valueAt(invoice, "parent.subscription_details.metadata"),
    valueAt(invoice, "subscription_details.metadata"),
    valueAt(invoice, "metadata"),
    ...lines.map(line => valueAt(line, "metadata")),
  ]
  const payments = listAt(invoice, "payments.data").map(paid => valueAt(paid, "payment"))
  return readSale(invoice, "amount_paid", metadata, {
    transaction_id: idAt(invoice, "id"),
    payments: [invoice, ...payments].flatMap(payment => paymentAt(payment) ?? []),
    fields: {
      sale_type: "subscription",
      is_recurring: true,
      subscription_id,
      product_id: onlyProduct(lines),
    },
  })
}

/** Reads a one-off payment. A subscription's session is not a sale: its invoices are. */
function readSession(session: object): Reading {
  const mode = textAt(session, "mode")
  if (mode !== "payment") return ignored(`A checkout session in ${mode} mode is not a sale.`)
  if (textAt(session, "payment_status") !== "paid")
    return ignored("The checkout session is not paid.")

  const reference = textAt(session, "client_reference_id")
  const referred = reference?.startsWith("clk_")
    ? { service_click_id: reference }
    : { customer_key: reference }
  return readSale(session, "amount_total", [valueAt(session, "metadata"), referred], {
    transaction_id: idAt(session, "payment_intent"),
    payments: [],
    fields: { sale_type: "payment" },
  })
}

type SaleReading = Extract<Reading, { kind: "sale" }>
type SaleSource = {
  transaction_id: string | undefined
  payments: string[]
  fields: Partial<SaleReading["sale"]>
}

/** Reads a sale. The first metadata that names a customer counts. */
function readSale(paid: object, amount: string, metadata: unknown[], source: SaleSource): Reading {
  const { transaction_id, payments, fields } = source
  const [amount_cents, currency] = [centsAt(paid, amount), currencyAt(paid)]
  const customer = metadata.find(
    data => textAt(data, "service_click_id") ?? textAt(data, "customer_key"),
  )
  if (!transaction_id) return ignored("The event names no payment.")
  if (!amount_cents || !currency) return ignored("No money was paid.")
  if (!customer) return ignored("The metadata has neither service_click_id nor customer_key.")

  const sale = {
    ...fields,
    transaction_id,
    amount_cents,
    currency,
    click_id: textAt(customer, "service_click_id"),
    customer_key: textAt(customer, "customer_key"),
    product_id: textAt(customer, "product_id") ?? fields.product_id,
  }
  return { kind: "sale", is_test: false, sale, payments }
}

/** Returns the product of an invoice if all its lines are for the same one. */
function onlyProduct(lines: unknown[]): string | undefined {
  const products = lines.map(
    line => idAt(line, "pricing.price_details.product") ?? idAt(line, "price.product"),
  )
  return new Set(products).size === 1 ? products[0] : undefined
}

function readInvoicePayment(paid: object): Reading {
  const [payment, transaction_id] = [paymentAt(valueAt(paid, "payment")), idAt(paid, "invoice")]
  if (!payment || !transaction_id) return ignored("The event names no payment or no invoice.")
  return { kind: "payment", payment, transaction_id }
}

function readRefund(refund: object): Reading {
  const status = textAt(refund, "status")
  if (status !== "succeeded") return ignored(`The refund is ${status}.`)
  return readRefunds(refund, paymentAt(refund), [toPart(refund)])
}

/** Reads the refunds of a charge. API versions since 2022-11-15 list only their total. */
function readCharge(charge: object): Reading {
  const listed = listAt(charge, "refunds.data")
  const isListComplete = listed.length > 0 && valueAt(charge, "refunds.has_more") !== true
  const parts = isListComplete
    ? listed.filter(hasSucceeded).map(refund => toPart(refund, currencyAt(charge)))
    : [toTotal(charge)]
  return readRefunds(charge, idAt(charge, "payment_intent") ?? idAt(charge, "id"), parts)
}

const hasSucceeded = (refund: unknown) => (textAt(refund, "status") ?? "succeeded") === "succeeded"

type UncheckedPart = { [Name in keyof RefundPart]: RefundPart[Name] | undefined }

function readRefunds(object: object, payment: string | undefined, parts: UncheckedPart[]): Reading {
  const currency = currencyAt(object)
  if (!payment || !currency) return ignored("The event names no payment.")
  if (parts.length === 0 || !parts.every(isRefundPart)) return ignored("No money was refunded.")

  const transaction_id = idAt(object, "invoice") ?? null
  const refund_reason = textAt(object, "reason")
  return { kind: "refund", payment, transaction_id, currency, refund_reason, parts }
}

const isRefundPart = (part: UncheckedPart): part is RefundPart =>
  part.refund_id !== undefined && part.amount_cents !== undefined

const toPart = (refund: unknown, currency = currencyAt(refund)): UncheckedPart => ({
  refund_id: idAt(refund, "id"),
  amount_cents: centsAt(refund, "amount", currency),
  is_total: false,
})

/** Reads a running total. It has no id of its own, so the charge and the total make one. */
function toTotal(charge: object): UncheckedPart {
  const amount_cents = centsAt(charge, "amount_refunded")
  return { refund_id: `${idAt(charge, "id")} ${amount_cents}`, amount_cents, is_total: true }
}

const ignored = (reason: string): Reading => ({ kind: "ignored", reason })
