import { afterAll, beforeAll, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { type DeliverySystem, launchWithReceiver } from "../../support/delivery-system"
import { readEventLog, untilPublished } from "../../support/event-log"
import { openShop, type Shop } from "../../support/own-shop"
import { saveDelivery } from "../../support/saved-delivery"
import { eventually, type Received } from "../../support/webhook-receiver"

const TIMEOUT_MS = 60_000
const SECOND_MS = 1_000 // the precision of webhook-timestamp
const ENDPOINTS = "/api/advertiser/webhook-endpoints"

let system: DeliverySystem
let shop: Shop
let endpoint: { id: number; secret: string }
let log: Awaited<ReturnType<typeof readEventLog>>
let restore: Awaited<ReturnType<typeof saveDelivery>>

/** The first attempt of each delivery fails. */
beforeAll(async () => {
  system = await launchWithReceiver()
  shop = await openShop(system)
  const known = new Set<string>()
  system.receiver.answer("all", ({ headers }) => {
    const id = headers.get("webhook-id")!
    const status = known.has(id) ? 200 : 500
    known.add(id)
    return new Response("", { status })
  })
  await published()
  const before = await readLog()
  endpoint = await call("POST", "", { url: system.receiver.url("all"), events: ["*"] })
  restore = await saveDelivery(system.sql)
  await trade()
  await published()
  log = (await readLog()).slice(before.length)
  await untilDelivered()
}, TIMEOUT_MS)
afterAll(() => system?.receiver.stop())

const call = async (method: string, path: string, body?: object) =>
  (await system.request(method, `${ENDPOINTS}${path}`, { token: shop.session, body })).body.data
const published = () => untilPublished(system.sql, shop.program_id)
const readLog = () => readEventLog(path => system.read(path, shop.session), shop.program_id)
const received = () => system.receiver.received("all")
const secondOf = ({ headers }: Received) => Number(headers.get("webhook-timestamp"))

/** Makes events of many types. */
async function trade() {
  const [paid, refunded, rejected] = [
    await shop.sell(1_000),
    await shop.sell(2_000),
    await shop.sell(3_000),
  ]
  const customer = { customer_key: "Zoë-店", email: "zoe@lovelace.example" }
  await shop.track("lead", { click_id: paid.click_id, ...customer })
  await shop.manage("POST", `/commissions/${paid.commission_id}/approve`)
  await shop.manage("POST", `/commissions/${paid.commission_id}/mark-paid`)
  await shop.manage("POST", `/commissions/${rejected.commission_id}/reject`, { reason: "Fraud" })
  await shop.refund(refunded.transaction_id)
  await shop.manage("PUT", "", { name: "Café ☕ <b>&" })
}

const untilDelivered = () =>
  eventually(async () => {
    const deliveries: { status: string }[] = await call(
      "GET",
      `/${endpoint.id}/deliveries?pageSize=100`,
    )
    const isDelivered = deliveries.every(({ status }) => status === "delivered")
    return isDelivered && deliveries.length === log.length
  })

test("the event log and the deliveries of a * endpoint are the same events (W3)", () => {
  expect(new Set(log.map(({ type }) => type)).size).toBeGreaterThan(6)
  expect(received()).toHaveLength(2 * log.length)
  for (const event of log) {
    const bodies = received()
      .filter(({ headers }) => headers.get("webhook-id") === event.id)
      .map(({ body }) => JSON.parse(body))
    expect(bodies).toEqual([event, event])
  }
})

test(
  "retries, replays and a restore send the same bytes, each time newly signed (W2)",
  async () => {
    await Bun.sleep(SECOND_MS)
    const since = new Date(Date.now() - TIMEOUT_MS).toISOString()
    const replay = { since, only: "all" }
    expect(await call("POST", `/${endpoint.id}/replay`, replay)).toEqual({ queued: log.length })
    await untilDelivered()
    expect(received()).toHaveLength(3 * log.length)

    await Bun.sleep(SECOND_MS)
    await restore()
    await eventually(() => received().length >= 4 * log.length)
    await untilDelivered()
    expect(received()).toHaveLength(4 * log.length)

    for (const { id } of log) {
      const all = received().filter(({ headers }) => headers.get("webhook-id") === id)
      const [attempt, retried, replayed, restored] = all
      expect(new Set(all.map(({ body }) => body)).size).toBe(1)
      expect(secondOf(retried!)).toBeGreaterThanOrEqual(secondOf(attempt!))
      expect(secondOf(replayed!)).toBeGreaterThan(secondOf(retried!))
      expect(secondOf(restored!)).toBeGreaterThan(secondOf(replayed!))
      for (const { body, headers } of all) {
        new Webhook(endpoint.secret).verify(body, headers.toJSON()) // throws if it is not signed
      }
    }
  },
  TIMEOUT_MS,
)
