import { afterAll, beforeAll, expect, test } from "bun:test"
import { OWN, openTrackedShop, type TrackedShop } from "../../support/tracked-shop"
import { parametersOf } from "../../support/tracker"

const answer = ({ path }: { path: string }) => (path.startsWith("/test-down") ? 302 : 200)

let world: TrackedShop
beforeAll(async () => {
  world = await openTrackedShop(answer)
}, 60_000)
afterAll(() => world.tracker.stop())

test("a test sends one sample of any event, also by a disabled postback, and can be replayed", async () => {
  const { tracker, session, ofPartner, program_id, partner_id } = world
  const template = "?e={event}&s={status}&p={payout}&t={order_id}&a={amount}&o={offer_id}&b={pid}"
  const events = ["lead", "sale", "approved", "rejected", "refunded"]
  const postback = await world.newPostback(ofPartner(), session, `/test${template}`, {
    events,
    status: "disabled",
  })
  const result = await postback.call("POST", "/test")
  expect(result).toEqual({
    delivery_id: expect.any(Number),
    ok: true,
    response_status: 200,
    latency_ms: expect.any(Number),
    error: null,
  })
  const ids = { o: `${program_id}`, b: `${partner_id}`, t: "", a: "" }
  const commission = { ...ids, p: "15.00" }
  expect(parametersOf(tracker.at("/test")[0]!)).toEqual({
    ...commission,
    ...{ e: "sale", s: "pending" },
  })
  const [delivery] = await postback.deliveries()
  expect(delivery).toMatchObject({
    id: result.delivery_id,
    type: "sale",
    status: "delivered",
    attempts: [{ response_status: 200 }],
  })
  const shown = await postback.call("GET", `/deliveries/${delivery.id}`)
  expect(shown.url).toBe(tracker.url + tracker.at("/test")[0]!.path)

  for (const [e, s] of [
    ["approved", "approved"],
    ["rejected", "rejected"],
    ["refunded", "reversed"],
    ["paid", "paid"],
  ] as const) {
    await postback.call("POST", "/test", { type: e })
    expect(parametersOf(tracker.at("/test").at(-1)!)).toEqual({ ...commission, e, s })
  }
  await postback.call("POST", "/test", { type: "lead" })
  const lead = { ...ids, e: "lead", s: "", p: "" }
  expect(parametersOf(tracker.at("/test").at(-1)!)).toEqual(lead)
  expect(await postback.refusal("POST", "/test", { type: "click" })).toBe(400)

  const replay = `/deliveries/${delivery.id}/replay`
  expect(await postback.refusal("POST", replay)).toBe(409)
  await postback.call("PUT", "", { status: "enabled" })
  expect(await postback.call("POST", replay)).toEqual({ queued: 1 })
  await postback.settled(6)
  expect(tracker.at("/test").at(-1)!.path).toBe(tracker.at("/test")[0]!.path)
  await postback.remove()
})

test("a test that fails says why, and is not tried again", async () => {
  const { tracker, account } = world
  const postback = await world.newPostback(OWN, account, "/test-down?o={program_id}", {
    events: ["sale"],
  })
  const result = await postback.call("POST", "/test", { type: "paid" })
  expect(result).toMatchObject({ ok: false, response_status: 302, error: null })
  expect(await postback.deliveries()).toMatchObject([{ type: "paid", status: "failed" }])
  expect(tracker.at("/test-down")).toHaveLength(1)
  await postback.remove()
})
