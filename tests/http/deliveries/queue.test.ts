import { afterAll, beforeAll, expect, test } from "bun:test"
import {
  type DeliverySystem,
  type Endpoint,
  launchWithReceiver,
} from "../../support/delivery-system"
import { eventually, never } from "../../support/webhook-receiver"

let system: DeliverySystem
let receiver: DeliverySystem["receiver"]
beforeAll(async () => {
  system = await launchWithReceiver({ PROCESSES: "one", REPLICAS: "1" })
  receiver = system.receiver
}, 60_000)
afterAll(() => receiver.stop())

const ATTEMPT_MS = 15_000 // then one that hangs is given up
const slowly = (ms: number) => async () => {
  await Bun.sleep(ms)
  return new Response("ok")
}

async function startReplica() {
  const replica = system.startReplica()
  await replica.stdout.getReader().read() // it is ready
  return replica
}

test("two replicas attempt each delivery once, four at a time at an endpoint", async () => {
  const workspace = await system.newWorkspace()
  const replica = await startReplica()
  receiver.answer("four", slowly(100))
  const endpoint = await workspace.newEndpoint(receiver.url("four"))
  await workspace.happenOften(80)
  await workspace.settled(endpoint, 80, 30_000)
  const ids = receiver.received("four").map(({ headers }) => headers.get("webhook-id"))
  expect(ids).toHaveLength(80)
  expect(new Set(ids).size).toBe(80)
  expect(receiver.mostAtOnce("four")).toBe(4)
  replica.kill("SIGKILL")
  await replica.exited
}, 60_000)

test("16 at a time at a host of a workspace, whatever the endpoints", async () => {
  const workspace = await system.newWorkspace()
  const replica = await startReplica()
  receiver.answer("host", slowly(100))
  const endpoints = await Promise.all(
    Array.from({ length: 8 }, (_, i) => workspace.newEndpoint(receiver.url(`host?${i}`, 16))),
  )
  await workspace.happenOften(30)
  await Promise.all(endpoints.map(endpoint => workspace.settled(endpoint, 30, 30_000)))
  expect(receiver.received("host")).toHaveLength(240)
  expect(receiver.mostAtOnce("host")).toBe(16)
  replica.kill("SIGKILL")
  await replica.exited
}, 60_000)

test("what a killed replica attempted is tried again, but not before its lease ends", async () => {
  const workspace = await system.newWorkspace()
  receiver.answer("killed", never)
  const endpoints = await Promise.all(
    [1, 2, 3].map(i => workspace.newEndpoint(receiver.url(`killed?${i}`))),
  )
  for (const { id } of endpoints) await workspace.call("POST", `/${id}/disable`)
  await workspace.happen()
  for (const endpoint of endpoints) await workspace.settled(endpoint, 1)

  const replica = await startReplica()
  const ids = endpoints.map(({ id }) => id)
  process.kill(system.pid, "SIGSTOP")
  await system.sql`
    update delivery.webhook_endpoints
    set status = 'enabled'
    where id = any (${ids})
  `
  await system.sql`
    update delivery.deliveries
    set status = 'pending', next_attempt_at = now()
    where receiver_id in (select id from delivery.receivers where endpoint_id = any (${ids}))
  `
  await eventually(() => receiver.openAt("killed") === 3)
  replica.kill("SIGKILL")
  process.kill(system.pid, "SIGCONT")
  await eventually(() => receiver.openAt("killed") === 0)

  const leases = await system.sql`
    select until between now() and now() + interval '45 seconds' as ends_soon
    from delivery.leases
  `
  expect([...leases]).toEqual(Array(3).fill({ ends_soon: true }))
  await Bun.sleep(1_000)
  expect(receiver.received("killed")).toHaveLength(3)
  receiver.answer("killed", () => new Response("ok"))
  await system.sql`update delivery.leases set until = now()` // as if the 45 seconds had passed
  for (const endpoint of endpoints) {
    const [delivery] = await workspace.settled(endpoint, 1)
    expect(delivery).toMatchObject({ status: "delivered", attempts: [{ response_status: 200 }] })
  }
  expect(receiver.received("killed")).toHaveLength(6)
}, 60_000)

test("an endpoint that complains gets one request at a time for five minutes", async () => {
  const workspace = await system.newWorkspace()
  let calls = 0
  receiver.answer("busy", async () => {
    await Bun.sleep(50)
    return new Response("", { status: ++calls === 5 ? 429 : 200 })
  })
  const endpoint = await workspace.newEndpoint(receiver.url("busy"))
  await workspace.happenOften(30)
  await workspace.settled(endpoint, 30)
  expect(receiver.mostAtOnce("busy")).toBeGreaterThan(1)

  receiver.answer("calm", slowly(50))
  await workspace.call("PUT", `/${endpoint.id}`, { description: "Keeps its limit" })
  await system.sql`
    update delivery.webhook_endpoints
    set url = replace(url, 'busy', 'calm')
    where id = ${endpoint.id}
  `
  await workspace.happenOften(10)
  await workspace.settled(endpoint, 40)
  expect(receiver.mostAtOnce("calm")).toBe(1)
}, 60_000)

test.each<[string, (endpoint: Endpoint) => [method: string, path: string, body?: object]]>([
  ["disabled", ({ id }) => ["POST", `/${id}/disable`]],
  ["deleted", ({ id }) => ["DELETE", `/${id}`]],
  ["narrowed to another type", ({ id }) => ["PUT", `/${id}`, { events: ["sale.recorded"] }]],
  ["narrowed to no program", ({ id }) => ["PUT", `/${id}`, { program_ids: [] }]],
  ["moved", ({ id }) => ["PUT", `/${id}`, { url: receiver.url("moved-to") }]],
])(
  "an endpoint that is %s gets no request after the reply",
  async (what, change) => {
    const workspace = await system.newWorkspace()
    const name = what.replaceAll(" ", "-")
    const endpoint = await workspace.newEndpoint(receiver.url(name))
    await workspace.happenOften(400)
    await eventually(() => receiver.received(name).length > 20)
    await workspace.call(...change(endpoint))
    const sent = receiver.received(name).length
    await Bun.sleep(1_000)
    expect(receiver.received(name)).toHaveLength(sent)
    expect(sent).toBeLessThan(400)

    if (what === "deleted") {
      await eventually(async () => {
        const [left] = await system.sql`
        select
        from delivery.deliveries
        where program_id = ${workspace.program_id}
      `
        return !left
      })
    } else {
      await eventually(async () => {
        const { body } = await system.request(
          "GET",
          `/api/advertiser/webhook-endpoints/${endpoint.id}/deliveries?status=pending`,
          { token: workspace.session },
        )
        return body.meta.pagination.total === 0
      }, 30_000)
      const statuses = await system.sql`
      select status, count(*)::int as deliveries
      from delivery.deliveries
      where program_id = ${workspace.program_id}
      group by status
      order by status
    `
      const moved = [{ status: "delivered", deliveries: 400 }]
      const narrowed = [
        { status: "delivered", deliveries: sent },
        { status: "skipped", deliveries: 400 - sent },
      ]
      expect([...statuses]).toEqual(what === "moved" ? moved : narrowed)
    }
  },
  60_000,
)

test("endpoints that hang do not hold up a healthy one, even at the same host", async () => {
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => system.newWorkspace()))
  await one!.newEndpoint(receiver.url("healthy"))
  receiver.answer("hung", never)
  for (const [workspace, hung] of [
    [one!, 16],
    [two!, 17],
    [three!, 17],
  ] as const) {
    for (let i = 0; i < hung; i++) await workspace.newEndpoint(receiver.url(`hung?${i}`))
  }
  for (let i = 0; i < 20; i++) {
    await Promise.all([one!, two!, three!].map(({ happenOften }) => happenOften(12)))
    await Bun.sleep(240)
  }
  await eventually(() => receiver.received("healthy").length === 240)
  const latencies = receiver
    .received("healthy")
    .map(({ body, at_ms }) => at_ms - Date.parse(JSON.parse(body).timestamp))
  expect(latencies).toHaveLength(240)
  expect(Math.max(...latencies)).toBeLessThan(ATTEMPT_MS) // none waited for one that hangs
}, 60_000)
