import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, type TestProgram } from "../../support/program"
import {
  charge,
  clickMetadata,
  commissionOf,
  deliver,
  eventually,
  invoice,
  invoicePayment,
  makeDue,
  newStripeProgram,
  outcomeOf,
  refund,
  reportSale,
  saleOf,
  sendEvent,
  session,
  stripeEvent,
  stripeId,
} from "../../support/stripe"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newStripeProgram()
})

/** Pays 49.99 once, which earns a commission of 15.00. Returns the payment's id. */
async function newPayment(fields: object = {}): Promise<string> {
  const paid = session({ metadata: await clickMetadata(program), ...fields })
  await sendEvent(program, "checkout.session.completed", paid)
  return paid.payment_intent
}

const refunded = async (transaction_id: string) =>
  (await commissionOf(program, transaction_id))?.refunded_cents

const sell = async (transaction_id: string, fields: object = {}) => {
  const click_id = await newClick(program)
  return reportSale(program, { transaction_id, amount_cents: 4_999, click_id, ...fields })
}

const ledgerOf = (transaction_id: string) => sql`
  select kind, ledger.amount_cents
  from commissions.ledger
  join commissions.commissions on commissions.id = commission_id
  where transaction_id = ${transaction_id}
  order by ledger.id
`

describe("a refund", () => {
  test.each(["refund.created", "refund.updated", "charge.refund.updated"])(
    "is applied from %s",
    async type => {
      const payment = await newPayment()
      await sendEvent(program, type, refund(payment, 4_999))
      expect(await commissionOf(program, payment)).toMatchObject({
        status: "refunded",
        refunded_cents: 4_999,
        refund_reason: "requested_by_customer",
      })
      expect(await ledgerOf(payment)).toMatchObject([
        { kind: "commission", amount_cents: 1_500 },
        { kind: "deduction", amount_cents: -1_500 },
      ])
    },
  )

  test("in parts is added up, each part once", async () => {
    const payment = await newPayment()
    const parts = [refund(payment, 1_000), refund(payment, 2_000), refund(payment, 1_999)]
    for (const [i, part] of parts.entries()) {
      await sendEvent(program, "refund.created", part)
      await sendEvent(program, "refund.updated", part)
      expect(await refunded(payment)).toBe([1_000, 3_000, 4_999][i])
    }
  })

  test("in concurrent parts is added up", async () => {
    const payment = await newPayment()
    const parts = Array.from({ length: 8 }, () => refund(payment, 500))
    const events = parts.flatMap(part => [
      stripeEvent("refund.created", part),
      stripeEvent("refund.updated", part),
    ])
    const deliveries = [...events, ...events].map(event => deliver(program, event))
    expect(new Set((await Promise.all(deliveries)).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
    await eventually(
      () => refunded(payment),
      cents => cents === 4_000,
    )
    expect(await refunded(payment)).toBe(4_000)
    expect(await ledgerOf(payment)).toHaveLength(9)
  })

  test.each(["pending", "requires_action", "failed", "canceled"])(
    "with status %s changes nothing until it succeeds",
    async status => {
      const payment = await newPayment()
      const part = refund(payment, 1_000, { status })
      const event = await sendEvent(program, "refund.created", part)
      expect(await outcomeOf(event)).toMatchObject({ state: "ignored" })
      expect(await refunded(payment)).toBe(0)
      await sendEvent(program, "refund.updated", { ...part, status: "succeeded" })
      expect(await refunded(payment)).toBe(1_000)
    },
  )

  test("that the advertiser also reported under the same id counts once", async () => {
    const payment = await newPayment()
    const part = refund(payment, 1_000)
    const body = { transaction_id: payment, refund_id: part.id, refund_amount_cents: 1_000 }
    await send("POST", "/api/v1/track/refund", { token: program.api_token, body })
    await sendEvent(program, "refund.created", part)
    expect(await refunded(payment)).toBe(1_000)
  })

  test("is applied to a sale that the advertiser reported under the payment's id", async () => {
    const payment = stripeId("pi")
    expect((await sell(payment, { amount_cents: 4_000 })).status).toBe(200) // without tax
    await sendEvent(program, "refund.created", refund(payment, 1_000))
    expect(await refunded(payment)).toBe(1_000)
    await sendEvent(program, "refund.created", refund(payment, 3_999)) // with tax
    expect(await refunded(payment)).toBe(4_000)
  })

  test("in a currency other than the sale's is ignored", async () => {
    const payment = await newPayment()
    const event = await sendEvent(
      program,
      "refund.created",
      refund(payment, 1_000, { currency: "jpy" }),
    )
    expect(await outcomeOf(event)).toMatchObject({
      state: "ignored",
      reason: "The refund is in JPY, but the sale is in USD.",
    })
    expect(await refunded(payment)).toBe(0)
  })

  test("in Stripe's test mode, or for another program, changes nothing", async () => {
    const payment = await newPayment()
    const event = stripeEvent("refund.created", refund(payment, 1_000), { livemode: false })
    await deliver(program, event)
    expect(await outcomeOf(event)).toMatchObject({ state: "ignored" })

    const foreign = await sendEvent(
      await newStripeProgram(),
      "refund.created",
      refund(payment, 1_000),
    )
    expect(await outcomeOf(foreign)).toMatchObject({ state: "waiting" })
    expect(await refunded(payment)).toBe(0)
  })
})

describe("charge.refunded", () => {
  const listOf = (data: object[], fields: object = {}) => ({
    refunds: { object: "list", data, has_more: false, ...fields },
  })

  test("of an older version lists refunds; each counts once beside refund.created", async () => {
    const payment = await newPayment()
    const [one, two] = [refund(payment, 1_000), refund(payment, 2_000)]
    const pending = refund(payment, 500, { status: "pending" })
    const sendList = (data: object[]) =>
      sendEvent(program, "charge.refunded", charge(payment, listOf(data)))

    await sendList([one])
    await sendEvent(program, "refund.created", one)
    expect(await refunded(payment)).toBe(1_000)
    await sendEvent(program, "refund.created", two)
    await sendList([pending, two, one])
    expect(await refunded(payment)).toBe(3_000)
  })

  test("without a list gives the total", async () => {
    const payment = await newPayment()
    const sendTotal = (amount_refunded: number) =>
      sendEvent(program, "charge.refunded", charge(payment, { amount_refunded }))
    await sendTotal(1_000)
    await sendTotal(1_000)
    await sendTotal(3_500)
    await sendTotal(3_000) // an older event that arrives late
    expect(await refunded(payment)).toBe(3_500)
  })

  test("and refund.created may report the same money, in any order", async () => {
    const payment = stripeId("pi")
    const [one, two, three] = [1_000, 2_000, 500].map(amount => refund(payment, amount))
    const total = (amount_refunded: number) => charge(payment, { id: "ch_1", amount_refunded })
    const events: [string, object][] = [
      ["charge.refunded", total(1_000)],
      ["charge.refunded", total(3_000)],
      ["charge.refunded", total(3_500)],
      ["refund.created", one!],
      ["refund.created", two!],
      ["refund.created", three!],
    ]
    for (const order of [events, events.toReversed(), [3, 0, 5, 4, 2, 1].map(i => events[i]!)]) {
      const payment = await newPayment()
      for (const [type, object] of order) {
        const { id } = object as { id: string }
        const own = { ...object, payment_intent: payment, id: `${id} ${payment}` }
        await sendEvent(program, type, own)
      }
      expect(await refunded(payment)).toBe(3_500)
    }
  })

  test("of a charge without a payment intent finds the sale by the charge's id", async () => {
    const old = charge(null, { amount_refunded: 4_999, refunded: true })
    await sell(old.id)
    await sendEvent(program, "charge.refunded", old)
    expect(await refunded(old.id)).toBe(4_999)
  })
})

describe("a subscription's refund", () => {
  const newInvoice = async (fields: object = {}) => invoice(fields, await clickMetadata(program))

  test("finds its invoice through the invoice payment", async () => {
    const [paid, payment] = [await newInvoice(), stripeId("pi")]
    await sendEvent(program, "invoice.paid", paid)
    await sendEvent(program, "invoice_payment.paid", invoicePayment(paid.id, payment))
    await sendEvent(program, "refund.created", refund(payment, 1_000))
    expect(await refunded(paid.id)).toBe(1_000)
  })

  test("finds its invoice in any order of events", async () => {
    const sendInOrder = async (order: number[]) => {
      const [paid, payment] = [await newInvoice(), stripeId("pi")]
      const events: [string, object][] = [
        ["invoice.paid", paid],
        ["invoice_payment.paid", invoicePayment(paid.id, payment)],
        ["refund.created", refund(payment, 1_000)],
      ]
      for (const i of order) await sendEvent(program, ...events[i]!)
      return eventually(
        () => refunded(paid.id),
        cents => cents === 1_000,
      )
    }
    const orders = [
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    expect(await Promise.all(orders.map(sendInOrder))).toEqual(Array(5).fill(1_000))
  })

  test.each<[string, (payment: string) => object]>([
    ["an older invoice names the payment", payment_intent => ({ payment_intent })],
    ["an older invoice names the charge", charge => ({ charge })],
    [
      "the invoice lists its payments",
      payment_intent => ({ payments: { data: [{ payment: { payment_intent } }] } }),
    ],
  ])("needs no invoice payment where %s", async (_where, fields) => {
    const payment = stripeId("py")
    const paid = await newInvoice(fields(payment))
    await sendEvent(program, "invoice.paid", paid)
    await sendEvent(program, "refund.created", refund(payment, 1_000))
    expect(await refunded(paid.id)).toBe(1_000)
  })

  test("needs no invoice payment where an older charge names the invoice", async () => {
    const paid = await newInvoice()
    const payment = stripeId("pi")
    const part = { id: stripeId("re"), amount: 1_000 } // older refunds have no status
    const old = charge(payment, { invoice: paid.id, refunds: { data: [part] } })
    await sendEvent(program, "charge.refunded", old)
    await sendEvent(program, "invoice.paid", paid)
    expect(
      await eventually(
        () => refunded(paid.id),
        cents => cents === 1_000,
      ),
    ).toBe(1_000)
  })
})

describe("a refund before its sale", () => {
  test("waits, and is applied once the sale is reported", async () => {
    const payment = stripeId("pi")
    const event = await sendEvent(program, "refund.created", refund(payment, 1_000))
    expect(await outcomeOf(event)).toMatchObject({ state: "waiting" })
    await sell(payment)
    const outcome = await eventually(
      () => outcomeOf(event),
      seen => seen?.state !== "waiting",
    )
    expect(outcome).toMatchObject({ state: "applied" })
    expect(await refunded(payment)).toBe(1_000)
  })

  test("is no longer retried after a while, but is applied once the sale is reported", async () => {
    const payment = stripeId("pi")
    const event = await sendEvent(program, "refund.created", refund(payment, 1_000))
    await makeDue(event, 9)
    const isResting = async () => {
      const [{ is_resting }] = await sql<[{ is_resting: boolean }]>`
        select try_after = 'infinity' as is_resting
        from tracking.processor_events
        where event_id = ${event.id}
      `
      return is_resting
    }
    expect(await eventually(isResting, Boolean)).toBe(true)
    await sell(payment)
    expect(
      await eventually(
        () => refunded(payment),
        cents => cents === 1_000,
      ),
    ).toBe(1_000)
  })

  test("that arrives at the same time is applied", async () => {
    const payments = Array.from({ length: 10 }, () => stripeId("pi"))
    await Promise.all(
      payments.flatMap(payment => [
        sendEvent(program, "refund.created", refund(payment, 1_000)),
        sell(payment),
        sendEvent(program, "refund.created", refund(payment, 2_000)),
      ]),
    )
    const all = () => Promise.all(payments.map(refunded))
    const seen = await eventually(all, cents => cents.every(each => each === 3_000))
    expect(seen).toEqual(Array(10).fill(3_000))
  })
})

describe("while commissions is down", () => {
  test("events are accepted, and applied once it is back", async () => {
    const old = await newPayment()
    const paid = session({ metadata: await clickMetadata(program) })
    await sql`alter table commissions.commissions rename to away`
    try {
      await sendEvent(program, "refund.created", refund(old, 1_000))
      await sendEvent(program, "checkout.session.completed", paid)
      await sendEvent(program, "refund.created", refund(paid.payment_intent, 1_000))
      expect(await saleOf(paid.payment_intent)).toBeUndefined()
    } finally {
      await sql`alter table commissions.away rename to commissions`
    }
    const both = () => Promise.all([old, paid.payment_intent].map(refunded))
    const isBack = (cents: number[]) => cents.every(each => each === 1_000)
    expect(await eventually(both, isBack)).toEqual([1_000, 1_000])
  }, 30_000)
})
