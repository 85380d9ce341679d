import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { launch } from "../support/launcher"
import { launchOwnSystem, type System } from "../support/own-system"
import { SIGNING_SECRET, session, signed, stripeEvent } from "../support/stripe"

const TIMEOUT_MS = 60_000
const PROGRAMS = "/api/advertiser/affiliate-programs"
const NAMED =
  /^TRANSACTION_SCOPE=service needs ids that are unique .*, but 1 are .*: "both"\. Start/

let data_dir: string
let system: System
let ada: Tenant
let bea: Tenant

async function restart(scope: string) {
  await system.stop()
  system = await launchOwnSystem({ DATA_DIR: data_dir, TRANSACTION_SCOPE: scope })
}

type Tenant = Awaited<ReturnType<typeof newTenant>>

async function newTenant(name: string) {
  const account = { email: `${name}@example.com`, password: "correct horse battery", name }
  const token = (await system.send("/api/auth/sign-up", account)).data.token as string
  const program = { name, stripe_signing_secret: SIGNING_SECRET }
  const { id, api_token } = (await system.send(PROGRAMS, program, token)).data
  const partner = { email: "partner@example.com", name: "Partner" }
  const { links } = (await system.send(`${PROGRAMS}/${id}/partners`, partner, token)).data
  return { id: id as number, token, api_token: api_token as string, code: links[0].code as string }
}

async function newClick({ code }: Tenant): Promise<string> {
  const affiliate_url = `https://shop.example/?aff=${code}`
  return (await system.send("/api/v1/track/click", { affiliate_url })).click_id
}

async function sell(tenant: Tenant, transaction_id: string) {
  const body = { transaction_id, amount_cents: 1_000, click_id: await newClick(tenant) }
  return system.request("POST", "/api/v1/track/sale", { token: tenant.api_token, body })
}

const refund = ({ api_token: token }: Tenant, body: object) =>
  system.request("POST", "/api/v1/track/refund", { token, body })

const commissionsOf = async ({ id, token }: Tenant) =>
  (await system.read(`${PROGRAMS}/${id}/commissions?pageSize=100`, token)).data as {
    transaction_id: string
    status: string
  }[]

afterAll(() => system?.stop())

/** In this order: each test goes on with the sales of the ones before. */
describe("TRANSACTION_SCOPE", () => {
  beforeAll(async () => {
    system = await launchOwnSystem()
    data_dir = system.data_dir
    ada = await newTenant("ada")
    bea = await newTenant("bea")
  }, TIMEOUT_MS)

  test("is the service by default: an id that another program has recorded is 409", async () => {
    expect((await sell(ada, "first")).status).toBe(200)
    expect((await sell(bea, "first")).status).toBe(409)
    expect((await refund(bea, { transaction_id: "first" })).status).toBe(404)
  })

  test(
    "can become the program: ids then collide only within it, in every race",
    async () => {
      await restart("program")
      expect((await sell(bea, "first")).status).toBe(200)
      expect((await sell(ada, "first")).status).toBe(409)

      const racing = Array.from({ length: 20 }, (_, i) => sell(i % 2 ? ada : bea, "both"))
      const statuses = (await Promise.all(racing)).map(({ status }) => status)
      for (const mine of [0, 1]) {
        const own = statuses.filter((_, i) => i % 2 === mine).sort()
        expect(own).toEqual([200, ...Array(9).fill(409)])
      }
      for (const tenant of [ada, bea]) {
        const ids = (await commissionsOf(tenant)).map(({ transaction_id }) => transaction_id)
        expect(ids.sort()).toEqual(["both", "first"])
      }
    },
    TIMEOUT_MS,
  )

  test("the program: a refund takes back the sale of its own program alone", async () => {
    expect((await refund(bea, { transaction_id: "first" })).body.status).toBe("reversed")
    const statusOf = async (tenant: Tenant) =>
      (await commissionsOf(tenant)).find(({ transaction_id }) => transaction_id === "first")!.status
    expect([await statusOf(ada), await statusOf(bea)]).toEqual(["pending", "reversed"])
  })

  test("the program: one Stripe payment counts for each program that receives it", async () => {
    const payment = session({})
    for (const tenant of [ada, bea]) {
      const metadata = { service_click_id: await newClick(tenant) }
      const event = stripeEvent("checkout.session.completed", { ...payment, metadata })
      for (const _replay of [1, 2]) {
        const path = `/api/webhooks/stripe/${tenant.id}`
        const headers = await signed(event)
        expect((await system.request("POST", path, { body: event, headers })).status).toBe(200)
      }
      const paid = (await commissionsOf(tenant)).filter(
        ({ transaction_id }) => transaction_id === payment.payment_intent,
      )
      expect(paid).toHaveLength(1)
    }
    await system.sql`
      update tracking.affiliate_sale_events
      set transaction_id = transaction_id || ' ' || program_id
      where transaction_id in ('first', ${payment.payment_intent})
    `
  })

  test("the program: test sales may repeat an id, and a test refund finds its own", async () => {
    const additional_data = { test_mode: true }
    const body = { transaction_id: "both", amount_cents: 1, additional_data }
    const ids = []
    for (const { api_token: token } of [ada, bea, ada]) {
      const { status, body: reply } = await system.request("POST", "/api/v1/track/sale", {
        token,
        body,
      })
      expect(status).toBe(200)
      ids.push(reply.data.eventId)
    }
    const found = await refund(bea, { transaction_id: "both", additional_data })
    expect(found.body.data.eventId).toBe(ids[1])
  })

  test(
    "does not go back to the service while ids collide, and names them",
    async () => {
      await system.stop()
      const refused = await launch({ DATA_DIR: data_dir, TRANSACTION_SCOPE: "service" })
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toMatch(NAMED)

      system = await launchOwnSystem({ DATA_DIR: data_dir, TRANSACTION_SCOPE: "program" })
      expect((await sell(ada, "after a refusal")).status).toBe(200)
      expect((await sell(bea, "after a refusal")).status).toBe(200)
      await system.sql`
        update tracking.affiliate_sale_events
        set transaction_id = transaction_id || ' ' || program_id
        where program_id = ${bea.id}
      `
      await restart("service")
      expect((await sell(bea, "both")).status).toBe(409)
      expect((await sell(bea, "free")).status).toBe(200)
    },
    TIMEOUT_MS,
  )
})
