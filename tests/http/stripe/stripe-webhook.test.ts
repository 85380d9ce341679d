import { beforeAll, describe, expect, test } from "bun:test"
import { dumpAllRows } from "../../support/columns"
import { refusesUnknownPrograms } from "../../support/credentials"
import { newProgram, newProgramOf, type TestProgram } from "../../support/program"
import {
  clickMetadata,
  commissionOf,
  deliver,
  newStripeProgram,
  outcomeOf,
  refund,
  SIGNING_SECRET,
  saleOf,
  sendEvent,
  session,
  sign,
  stripeEvent,
  stripeId,
} from "../../support/stripe"
import { send, sql } from "../../support/world"

const ANOTHER_SECRET = "whsec_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
const MINUTE_SECONDS = 60

let program: TestProgram
beforeAll(async () => {
  program = await newStripeProgram()
})

const url = ({ program_id }: { program_id: number }) => `/api/webhooks/stripe/${program_id}`
const now = () => Math.floor(Date.now() / 1_000)
const bodyOf = (fields: object = {}) => JSON.stringify(stripeEvent("customer.created", {}, fields))

type Sent = { body: string | Uint8Array; headers: Record<string, string> }

/** A body and its headers, by default with a valid signature of the current time. */
async function signed(body: string, secret?: string, timestamp?: number): Promise<Sent> {
  const signature = await sign(body, secret, { timestamp })
  return {
    body,
    headers: { "content-type": "application/json", "stripe-signature": signature },
  }
}

const withHeaders = ({ body, headers }: Sent, more: Record<string, string>): Sent => ({
  body,
  headers: { ...headers, ...more },
})

describe("POST /api/webhooks/stripe/:programId", () => {
  test.each<[number, string, () => Promise<Sent>]>([
    [200, "signed", () => signed(bodyOf())],
    [200, "signed, and of an unknown type", () => signed(bodyOf({ type: "x.y" }))],
    [200, "signed four minutes ago", () => signed(bodyOf(), undefined, now() - 4 * MINUTE_SECONDS)],
    [413, "too large", () => signed(`"${"x".repeat(256 * 1024)}"`)],
    [
      415,
      "encoded",
      async () => withHeaders(await signed(bodyOf()), { "content-encoding": "gzip" }),
    ],
    [
      415,
      "not JSON",
      async () => withHeaders(await signed(bodyOf()), { "content-type": "text/xml" }),
    ],
    [
      400,
      "not signed",
      async () => ({ body: bodyOf(), headers: { "content-type": "application/json" } }),
    ],
    [
      400,
      "signed with an empty signature",
      async () => withHeaders(await signed(bodyOf()), signature("t=1,v1=")),
    ],
    [400, "signed with junk", async () => withHeaders(await signed(bodyOf()), signature("junk"))],
    [400, "signed with another secret", () => signed(bodyOf(), ANOTHER_SECRET)],
    [200, "signed in four minutes", () => signed(bodyOf(), undefined, now() + 4 * MINUTE_SECONDS)],
    [400, "signed in six minutes", () => signed(bodyOf(), undefined, now() + 6 * MINUTE_SECONDS)],
    [200, "created in four minutes", () => signed(bodyOf({ created: now() + 4 * MINUTE_SECONDS }))],
    [400, "created in six minutes", () => signed(bodyOf({ created: now() + 6 * MINUTE_SECONDS }))],
    [400, "created at no time", () => signed(bodyOf({ created: "now" }))],
    [400, "signed, but without livemode", () => signed(bodyOf({ livemode: undefined }))],
    [400, "signed, but with a livemode of null", () => signed(bodyOf({ livemode: null }))],
    [400, "signed six minutes ago", () => signed(bodyOf(), undefined, now() - 6 * MINUTE_SECONDS)],
    [
      400,
      "changed after it was signed",
      async () => ({ ...(await signed(bodyOf())), body: bodyOf() }),
    ],
    [400, "empty", () => signed("")],
    [400, "signed, but not JSON", () => signed("{")],
    [400, "signed, but not an event", () => signed("[1]")],
    [400, "signed, but null", () => signed("null")],
    [400, "signed, but without an id", () => signed(bodyOf({ id: undefined }))],
    [400, "signed, but with an invalid id", () => signed(bodyOf({ id: "\u0000" }))],
    [400, "signed, but without an object", () => signed(bodyOf({ data: null }))],
    [
      400,
      "signed, but with text that cannot be stored",
      () => signed(bodyOf({ data: { object: { metadata: { customer_key: "\u0000" } } } })),
    ],
    [
      400,
      "signed, but nested too deeply",
      () => signed(`{"data": ${"[".repeat(1e5)}${"]".repeat(1e5)}}`),
    ],
    [400, "every byte value", async () => ({ ...(await signed("{}")), body: EVERY_BYTE })],
  ])("%i: %s", async (status, _why, sent) => {
    const answer = await send("POST", url(program), await sent())
    expect(answer).toMatchObject({
      status,
      body: status === 200 ? { received: true } : { error: expect.any(String) },
    })
  })

  test("stores no event of a type that it does not handle", async () => {
    const event = stripeEvent("customer.created", {})
    await deliver(program, event)
    expect(await outcomeOf(event)).toBeUndefined()
  })

  test("accepts only events signed with the program's own secret", async () => {
    const other = await newProgramOf(program, { stripe_signing_secret: ANOTHER_SECRET })
    expect((await deliver(other, stripeEvent("customer.created", {}))).status).toBe(400)
  })

  refusesUnknownPrograms("POST", id => `/api/webhooks/stripe/${id}`)

  test("404: the program has no signing secret", async () => {
    expect((await deliver(await newProgram(), stripeEvent("x", {}))).status).toBe(404)
  })

  test("of a paused program are applied", async () => {
    const paused = await newStripeProgram()
    const metadata = await clickMetadata(paused)
    await send("PUT", paused.path, { token: paused.session, body: { status: "paused" } })
    const paid = session({ metadata })
    await sendEvent(paused, "checkout.session.completed", paid)
    expect(await saleOf(paid.payment_intent)).toMatchObject({ amount_cents: 4_999 })
  })

  test("of an archived program: refunds are applied, sales are ignored", async () => {
    const ended = await newStripeProgram()
    const before = session({ metadata: await clickMetadata(ended) })
    await sendEvent(ended, "checkout.session.completed", before)
    const metadata = await clickMetadata(ended)
    await send("DELETE", ended.path, { token: ended.session })

    await sendEvent(ended, "refund.created", refund(before.payment_intent, 4_999))
    expect(await commissionOf(ended, before.payment_intent)).toMatchObject({
      status: "refunded",
      refunded_cents: 4_999,
    })
    const after = session({ metadata })
    for (const livemode of [true, false]) {
      const event = stripeEvent("checkout.session.completed", after, { livemode })
      expect((await deliver(ended, event)).status).toBe(200)
      expect(await outcomeOf(event)).toMatchObject({
        state: "ignored",
        reason: "The program is archived.",
      })
    }
    expect(await saleOf(after.payment_intent)).toBeUndefined()
  })

  test("applies an event once, sent a hundred times at once and again afterwards", async () => {
    const payment_intent = stripeId("pi")
    const metadata = await clickMetadata(program)
    const event = stripeEvent("checkout.session.completed", session({ payment_intent, metadata }))
    const send = () => deliver(program, event)
    const answers = await Promise.all(Array.from({ length: 100 }, send))
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
    expect((await send()).status).toBe(200)

    const sale = await saleOf(payment_intent)
    expect(sale).toMatchObject({ amount_cents: 4_999 })
    const [counted] = await sql`
      select
        (select count(*) from tracking.processor_events where event_id = ${event.id}) as events,
        (select count(*) from commissions.commissions where sale_id = ${sale!.id}) as commissions
    `
    expect(counted).toEqual({ events: 1, commissions: 1 })
  })

  test("stores neither the payer's e-mail address nor the signing secret", async () => {
    const all = await dumpAllRows(sql)
    expect(all).not.toContain("ada@customers.example")
    expect(all).not.toContain(SIGNING_SECRET)
  })
})

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte)

const signature = (text: string) => ({ "stripe-signature": text })
