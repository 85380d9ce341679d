import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { type DeliverySystem, launchWithReceiver } from "../../support/delivery-system"
import { eventually, type Received } from "../../support/webhook-receiver"

let system: DeliverySystem
let receiver: DeliverySystem["receiver"]
let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
beforeAll(async () => {
  system = await launchWithReceiver()
  receiver = system.receiver
  workspace = await system.newWorkspace()
}, 60_000)
afterAll(() => receiver.stop())

const ID = /^evt_[0-9a-f]{32}$/
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const headersOf = ({ headers }: Received) => ({
  "webhook-id": headers.get("webhook-id")!,
  "webhook-timestamp": headers.get("webhook-timestamp")!,
  "webhook-signature": headers.get("webhook-signature")!,
})
/** Whether the official verifier accepts a request. */
function isSignedWith(secret: string, request: Received): boolean {
  try {
    new Webhook(secret).verify(request.body, headersOf(request))
    return true
  } catch {
    return false
  }
}
const failing = () => new Response("down", { status: 500 })

describe("a delivery", () => {
  test("is a Standard Webhooks request, and stands in the log", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("plain"))
    await workspace.happen()
    const [delivery] = await workspace.settled(endpoint, 1)
    const [request, ...others] = receiver.received("plain")
    expect(others).toEqual([])
    expect(isSignedWith(endpoint.secret, request!)).toBe(true)
    expect(Object.fromEntries(request!.headers)).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Tributary-Webhooks/1",
      "accept-encoding": "identity",
    })
    const { id, ...event } = JSON.parse(request!.body)
    expect(id).toMatch(ID)
    expect(event).toMatchObject({
      type: "program.updated",
      api_version: "2026-11",
      sequence: expect.any(Number),
      workspace_id: workspace.workspace_id,
      program_id: workspace.program_id,
      test: false,
      data: { id: workspace.program_id, previous: expect.any(Object) },
    })
    expect(request!.headers.get("webhook-id")).toBe(id)
    expect(delivery).toEqual({
      id: expect.any(Number),
      event_id: id,
      type: "program.updated",
      status: "delivered",
      attempts: [
        {
          at: TIME,
          response_status: 200,
          latency_ms: expect.any(Number),
          error: null,
          response_excerpt: "ok",
        },
      ],
      next_attempt_at: null,
      created_at: TIME,
    })
    const shown = await workspace.call("GET", `/${endpoint.id}/deliveries/${delivery.id}`)
    expect(shown).toEqual({
      ...delivery,
      body: request!.body,
      attempts: [{ ...delivery.attempts[0], headers: headersOf(request!) }],
    })
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("is tried again with the same id and bytes, but a fresh signature", async () => {
    let calls = 0
    receiver.answer("flaky", () => (++calls < 3 ? failing() : new Response("ok")))
    const endpoint = await workspace.newEndpoint(receiver.url("flaky"))
    await workspace.happen()
    const [delivery] = await workspace.settled(endpoint, 1)
    expect(delivery.status).toBe("delivered")
    expect(delivery.attempts.map((one: any) => one.response_status)).toEqual([500, 500, 200])
    const requests = receiver.received("flaky")
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(requests.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1)
    expect(requests.every(request => isSignedWith(endpoint.secret, request))).toBe(true)
    const [first, , third] = requests.map(({ headers }) => Number(headers.get("webhook-timestamp")))
    expect(third).toBeGreaterThan(first!)
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("keeps its bytes when the endpoint wants others meanwhile", async () => {
    let calls = 0
    receiver.answer("bytes", () => (++calls < 2 ? failing() : new Response("ok")))
    const endpoint = await workspace.newEndpoint(receiver.url("bytes"))
    await workspace.happen()
    await eventually(() => receiver.received("bytes").length === 1)
    await workspace.call("PUT", `/${endpoint.id}`, { payload: "thin" })
    await workspace.settled(endpoint, 1)
    const [first, second] = receiver.received("bytes")
    expect(second!.body).toBe(first!.body)
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("fails after the last attempt, and a replay tries it again", async () => {
    receiver.answer("down", failing)
    const endpoint = await workspace.newEndpoint(receiver.url("down"))
    await workspace.happen()
    const [failed] = await workspace.settled(endpoint, 1)
    expect(failed).toMatchObject({ status: "failed", attempts: [{}, {}, {}] })
    expect(failed.attempts[0]).toMatchObject({ response_status: 500, response_excerpt: "down" })

    receiver.answer("down", () => new Response("up"))
    const path = `/${endpoint.id}/deliveries/${failed.id}/replay`
    expect(await workspace.call("POST", path)).toEqual({ queued: 1 })
    const [delivered] = await workspace.settled(endpoint, 1)
    expect(delivered).toMatchObject({ id: failed.id, status: "delivered" })
    expect(delivered.attempts).toHaveLength(4)
    const requests = receiver.received("down")
    expect(requests).toHaveLength(4)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test.each<[string, () => Response | Promise<Response>, object]>([
    [
      "a redirect",
      () => new Response("", { status: 302, headers: { location: receiver.url("elsewhere") } }),
      { response_status: 302, error: null },
    ],
    [
      "a body of a megabyte",
      () => new Response("x".repeat(1_000_000), { status: 400 }),
      { response_status: 400, response_excerpt: "x".repeat(1_024) },
    ],
  ])("fails with %s", async (what, answer, attempt) => {
    const name = what.replaceAll(" ", "-")
    receiver.answer(name, answer)
    const endpoint = await workspace.newEndpoint(receiver.url(name))
    await workspace.happen()
    const [delivery] = await workspace.settled(endpoint, 1)
    expect(delivery).toMatchObject({ status: "failed", attempts: [attempt, attempt, attempt] })
    expect(receiver.received("elsewhere")).toEqual([])
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("waits as long as Retry-After says", async () => {
    receiver.answer(
      "busy",
      () => new Response("", { status: 429, headers: { "retry-after": "3600" } }),
    )
    const endpoint = await workspace.newEndpoint(receiver.url("busy"))
    await workspace.happen()
    const [delivery] = await eventually(async () => {
      const all = await workspace.deliveries(endpoint)
      return all[0]?.attempts.length === 1 ? all : null
    })
    const wait_ms = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts[0].at)
    expect(wait_ms).toBeGreaterThan(3_590_000)
    expect(wait_ms).toBeLessThan(3_620_000)
    await workspace.call("DELETE", `/${endpoint.id}`)
  })
})

describe("signatures", () => {
  test("are of both secrets until the overlap ends, then of the new one", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("rotated"))
    const { secret } = await workspace.call("POST", `/${endpoint.id}/rotate-secret`)
    await workspace.happen()
    await workspace.settled(endpoint, 1)
    const [both] = receiver.received("rotated")
    expect([endpoint.secret, secret].map(one => isSignedWith(one, both!))).toEqual([true, true])

    await system.sql`
      update delivery.webhook_secrets
      set valid_until = now()
      where endpoint_id = ${endpoint.id} and valid_until is not null
    `
    await workspace.happen()
    await workspace.settled(endpoint, 2)
    const [, after] = receiver.received("rotated")
    expect([endpoint.secret, secret].map(one => isSignedWith(one, after!))).toEqual([false, true])
    await workspace.call("DELETE", `/${endpoint.id}`)
  })
})

describe("subscriptions", () => {
  test("decide which events an endpoint gets, and in which form", async () => {
    const other = await system.newWorkspace()
    const types = await workspace.newEndpoint(receiver.url("types"), { events: ["sale.recorded"] })
    const none = await workspace.newEndpoint(receiver.url("none"), { program_ids: [] })
    const foreign = await other.newEndpoint(receiver.url("foreign"))
    const thin = await workspace.newEndpoint(receiver.url("thin"), {
      payload: "thin",
      program_ids: [workspace.program_id],
    })
    await workspace.happen()
    await workspace.settled(thin, 1)
    const [request] = receiver.received("thin")
    expect(JSON.parse(request!.body).data).toEqual({ id: workspace.program_id })
    for (const endpoint of [types, none]) expect(await workspace.deliveries(endpoint)).toEqual([])
    expect(await other.deliveries(foreign)).toEqual([])
    for (const { id } of [types, none, thin]) await workspace.call("DELETE", `/${id}`)
  })

  test("of a disabled endpoint are skipped, and a replay sends them once it is enabled", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("paused"))
    await workspace.call("POST", `/${endpoint.id}/disable`)
    await workspace.happen()
    const [skipped] = await workspace.settled(endpoint, 1)
    expect(skipped).toMatchObject({ status: "skipped", attempts: [], next_attempt_at: null })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await workspace.refusal("POST", `/${endpoint.id}/replay`, { since })).toBe(409)
    const one = `/${endpoint.id}/deliveries/${skipped.id}/replay`
    expect(await workspace.refusal("POST", one)).toBe(409)

    await workspace.call("POST", `/${endpoint.id}/enable`)
    await workspace.happen()
    await eventually(() => receiver.received("paused").length === 1)
    const replayed = await workspace.call("POST", `/${endpoint.id}/replay`, { since })
    expect(replayed).toEqual({ queued: 1 })
    const [, delivered] = await workspace.settled(endpoint, 2)
    expect(delivered).toMatchObject({ id: skipped.id, status: "delivered" })
    expect(receiver.received("paused")).toHaveLength(2)

    const all = await workspace.call("POST", `/${endpoint.id}/replay`, { since, only: "all" })
    expect(all).toEqual({ queued: 2 })
    await eventually(() => receiver.received("paused").length === 4)
    const other = { since, only: "all", types: ["sale.recorded"] }
    expect(await workspace.call("POST", `/${endpoint.id}/replay`, other)).toEqual({ queued: 0 })
    await workspace.call("DELETE", `/${endpoint.id}`)
  })
})

describe("the log", () => {
  test("is narrowed by status, type and time", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("log"))
    await workspace.happen()
    const [delivery] = await workspace.settled(endpoint, 1)
    const count = async (query: string) => (await workspace.deliveries(endpoint, query)).length
    expect(await count("&status=delivered&type=program.updated")).toBe(1)
    expect(await count("&status=failed")).toBe(0)
    expect(await count("&type=sale.recorded")).toBe(0)
    expect(await count(`&since=${delivery.created_at}&until=${delivery.created_at}`)).toBe(1)
    expect(await count("&until=2020-01-31")).toBe(0)
    for (const query of ["status=lost", "type=click.recorded", "since=yesterday", "until=x"]) {
      expect(await workspace.refusal("GET", `/${endpoint.id}/deliveries?${query}`)).toBe(400)
    }
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test.each<[number, string, Record<string, unknown>]>([
    [400, "no since", {}],
    [400, "a since that is no time", { since: "yesterday" }],
    [400, "a since of more than 30 days ago", { since: "2020-01-31T00:00:00Z" }],
    [400, "an until before since", { since: "now", until: "2020-01-31T00:00:00Z" }],
    [400, "no types", { since: "now", types: [] }],
    [400, "an unknown type", { since: "now", types: ["click.recorded"] }],
    [400, "an unknown choice", { since: "now", only: "some" }],
  ])("%i: a replay with %s", async (status, _what, fields) => {
    const endpoint = await workspace.newEndpoint(receiver.url("refused"))
    const body = { ...fields, ...(fields.since === "now" && { since: new Date().toISOString() }) }
    expect(await workspace.refusal("POST", `/${endpoint.id}/replay`, body)).toBe(status)
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("404: a delivery of another endpoint", async () => {
    const [one, other] = [
      await workspace.newEndpoint(receiver.url("one")),
      await workspace.newEndpoint(receiver.url("other"), { events: ["sale.recorded"] }),
    ]
    const { delivery_id } = await workspace.call("POST", `/${one.id}/test`)
    const path = `/${other.id}/deliveries/${delivery_id}`
    expect(await workspace.refusal("GET", path)).toBe(404)
    expect(await workspace.refusal("POST", `${path}/replay`)).toBe(404)
    for (const { id } of [one, other]) await workspace.call("DELETE", `/${id}`)
  })
})

describe("a test", () => {
  test("sends one signed sample, and stands in the log", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("test"), {
      events: ["sale.recorded"],
      program_ids: [workspace.program_id],
    })
    const result = await workspace.call("POST", `/${endpoint.id}/test`)
    expect(result).toEqual({
      delivery_id: expect.any(Number),
      ok: true,
      response_status: 200,
      latency_ms: expect.any(Number),
      error: null,
    })
    const [request] = receiver.received("test")
    expect(isSignedWith(endpoint.secret, request!)).toBe(true)
    expect(JSON.parse(request!.body)).toMatchObject({
      type: "endpoint.test",
      test: true,
      sequence: null,
      data: { id: endpoint.id },
    })
    const [delivery] = await workspace.deliveries(endpoint)
    expect(delivery).toMatchObject({
      id: result.delivery_id,
      type: "endpoint.test",
      status: "delivered",
      attempts: [{ response_status: 200 }],
    })
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("of any type is a sample of it, also for a disabled endpoint", async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("samples"))
    await workspace.call("POST", `/${endpoint.id}/disable`)
    const { paths } = (await system.request("GET", "/openapi.json", {})).body
    const schema = paths["/api/advertiser/webhook-endpoints/{id}/test"].post.requestBody
    const types: string[] = schema.content["application/json"].schema.properties.type.enum
    expect(types.length).toBeGreaterThan(25)
    for (const type of types) {
      expect(await workspace.call("POST", `/${endpoint.id}/test`, { type })).toMatchObject({
        ok: true,
      })
    }
    const bodies = receiver.received("samples").map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ type }) => type)).toEqual(types)
    for (const { data, test: isTest } of bodies) {
      expect(isTest).toBe(true)
      expect(data.id ?? data.partner_id).toEqual(expect.any(Number))
    }
    await workspace.call("DELETE", `/${endpoint.id}`)
  })

  test("says why it failed, and is not tried again", async () => {
    receiver.answer("broken", failing)
    const endpoint = await workspace.newEndpoint(receiver.url("broken"))
    expect(await workspace.call("POST", `/${endpoint.id}/test`)).toMatchObject({
      ok: false,
      response_status: 500,
    })
    const refusing = await workspace.newEndpoint("https://127.66.0.9/hooks")
    expect(await workspace.call("POST", `/${refusing.id}/test`)).toMatchObject({
      ok: false,
      response_status: null,
      error: "The receiver refused the connection.",
    })
    expect(await workspace.refusal("POST", `/${endpoint.id}/test`, { type: "x" })).toBe(400)
    await Bun.sleep(1_500)
    expect(receiver.received("broken")).toHaveLength(1)
    for (const { id } of [endpoint, refusing]) await workspace.call("DELETE", `/${id}`)
  })

  test("may take longer than other calls", async () => {
    receiver.answer("slow", async () => {
      await Bun.sleep(6_000)
      return new Response("late")
    })
    const endpoint = await workspace.newEndpoint(receiver.url("slow"))
    const result = await workspace.call("POST", `/${endpoint.id}/test`)
    expect(result).toMatchObject({ ok: true, response_status: 200 })
    await workspace.call("DELETE", `/${endpoint.id}`)
  }, 20_000)
})

test("the audit log has each test and replay", async () => {
  const endpoint = await workspace.newEndpoint(receiver.url("audited"))
  const { delivery_id } = await workspace.call("POST", `/${endpoint.id}/test`)
  await workspace.call("POST", `/${endpoint.id}/deliveries/${delivery_id}/replay`)
  const since = new Date(Date.now() - 1_000).toISOString()
  await workspace.call("POST", `/${endpoint.id}/replay`, { since, only: "all" })
  const entries = await system.sql`
    select action, details
    from delivery.audit_entries
    where subject_id = ${endpoint.id} and action in ('webhook_endpoint.test', 'webhook_endpoint.replay')
    order by id
  `
  expect([...entries]).toEqual([
    { action: "webhook_endpoint.test", details: { type: "endpoint.test", ok: true } },
    { action: "webhook_endpoint.replay", details: { delivery_id } },
    {
      action: "webhook_endpoint.replay",
      details: { since, until: null, only: "all", queued: expect.any(Number) },
    },
  ])
})
