import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { OWN, openTrackedShop, type TrackedShop } from "../../support/tracked-shop"
import { parametersOf } from "../../support/tracker"
import { eventually } from "../../support/webhook-receiver"

/** Paths whose next requests are refused, with the statuses. */
const refused = new Map<string, number[]>()
const answer = ({ path }: { path: string }) => refused.get(path.split("?")[0]!)?.shift() ?? 200

let world: TrackedShop
beforeAll(async () => {
  world = await openTrackedShop(answer)
}, 60_000)
afterAll(() => world.tracker.stop())

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const SALE = { events: ["sale"] }
const minuteAgo = () => new Date(Date.now() - 60_000).toISOString()

describe("a delivery", () => {
  test("is tried again with the same bytes, and stands in the log with its request", async () => {
    const { tracker, session, ofPartner, buy } = world
    const template = '{"p": {payout}, "r": "{random}", "c": "{sub1}"}'
    const postback = await world.newPostback(ofPartner(), session, "/retried?r={random}", {
      ...SALE,
      method: "POST",
      body: { type: "json", template },
    })
    refused.set("/retried", [503, 302])
    await buy({ query: '&sub1="\\' })
    const [delivery] = await postback.settled(1)
    const requests = tracker.at("/retried")
    expect(requests).toHaveLength(3)
    const [first] = requests
    expect(new Set(requests.map(({ path, body }) => path + body)).size).toBe(1)
    expect(JSON.parse(first!.body)).toEqual({ p: 15, r: parametersOf(first!).r, c: '"\\' })
    expect(first!.headers.get("content-type")).toBe("application/json")
    expect(first!.headers.get("webhook-signature")).toBeNull()

    const attempt = { at: TIME, latency_ms: expect.any(Number), error: null }
    expect(delivery).toEqual({
      id: expect.any(Number),
      event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "sale",
      status: "delivered",
      attempts: [503, 302, 200].map(response_status => ({
        ...attempt,
        response_status,
        response_excerpt: "ok",
      })),
      next_attempt_at: null,
      created_at: TIME,
    })
    const shown = await postback.call("GET", `/deliveries/${delivery.id}`)
    const { method, path, body } = first!
    expect(shown).toEqual({ ...delivery, method, url: tracker.url + path, body })
    await postback.remove()
  })

  test("fails after the last attempt, and a replay tries it again", async () => {
    const { tracker, account, buy } = world
    const postback = await world.newPostback(OWN, account, "/down?e={event_id}", SALE)
    refused.set("/down", [500, 500, 500])
    await buy()
    const [failed] = await postback.settled(1)
    expect(failed).toMatchObject({ status: "failed", attempts: [{}, {}, {}] })
    const replay = `/deliveries/${failed.id}/replay`
    expect(await postback.call("POST", replay)).toEqual({ queued: 1 })
    const [delivered] = await postback.settled(1)
    expect(delivered).toMatchObject({ id: failed.id, status: "delivered" })
    expect(delivered.attempts).toHaveLength(4)
    expect(new Set(tracker.at("/down").map(({ path }) => path)).size).toBe(1)
    await postback.remove()
  })

  test("fails unsent where its address becomes too long, and its receiver does not fail", async () => {
    const { tracker, system, account, buy } = world
    const path = `/long?c=${"{partner_click_id}".repeat(9)}`
    const postback = await world.newPostback(OWN, account, path, SALE)
    await buy({ query: `&pcid=${"x".repeat(255)}` })
    const [failed] = await postback.settled(1)
    const error = "With the values of this event, the address has more than 2048 characters."
    expect(failed).toMatchObject({ status: "failed", attempts: [{ error }, { error }, { error }] })
    expect(tracker.at("/long")).toEqual([])
    const receivers = await system.sql`
      select failing_since
      from delivery.receivers
      where postback_id = ${postback.id}
    `
    expect(receivers).toMatchObject([{ failing_since: null }])
    await postback.remove()
  })

  test("of a sale that tracking does not know any more fails with a sentence", async () => {
    const { tracker, system, session, ofProgram, buy } = world
    const paused = { ...SALE, status: "disabled" }
    const postback = await world.newPostback(ofProgram, session, "/unknown", paused)
    const { sale_id } = await buy()
    await postback.settled(1)
    await system.sql`
      update delivery.events
      set data = jsonb_set(data, '{sale_id}', '999999999')
      where data ->> 'sale_id' = ${`${sale_id}`}
    `
    await postback.call("PUT", "", { status: "enabled" })
    await postback.call("POST", "/replay", { since: minuteAgo() })
    const [failed] = await postback.settled(1)
    const error = "The lead or sale of this event cannot be found now."
    expect(failed).toMatchObject({ status: "failed", attempts: [{ error }, { error }, { error }] })
    expect(await postback.refusal("GET", `/deliveries/${failed.id}`)).toBe(404)
    expect(tracker.at("/unknown")).toEqual([])
    await postback.remove()
  })

  test("of a disabled postback is skipped, and a replay sends it once it is enabled", async () => {
    const { tracker, session, ofProgram, buy } = world
    const postback = await world.newPostback(ofProgram, session, "/paused", {
      ...SALE,
      status: "disabled",
    })
    await buy()
    const [skipped] = await postback.settled(1)
    expect(skipped).toMatchObject({ status: "skipped", attempts: [], next_attempt_at: null })
    const [all, one] = ["/replay", `/deliveries/${skipped.id}/replay`]
    const since = { since: minuteAgo() }
    expect(await postback.refusal("POST", all, since)).toBe(409)
    expect(await postback.refusal("POST", one)).toBe(409)
    expect(tracker.at("/paused")).toEqual([])

    await postback.call("PUT", "", { status: "enabled", events: ["paid"] })
    expect(await postback.call("POST", all, since)).toEqual({ queued: 0 })
    expect(await postback.refusal("POST", one)).toBe(409) // not sent for sales any more
    await postback.call("PUT", "", SALE)
    expect(await postback.call("POST", all, since)).toEqual({ queued: 1 })
    expect(await postback.settled(1)).toMatchObject([{ id: skipped.id, status: "delivered" }])
    expect(await postback.call("POST", all, since)).toEqual({ queued: 0 }) // none has failed
    const again = { ...since, only: "all" }
    expect(await postback.call("POST", all, { ...again, types: ["paid"] })).toEqual({ queued: 0 })
    expect(await postback.call("POST", all, again)).toEqual({ queued: 1 })
    await tracker.until(2, "/paused")
    await postback.remove()
  })

  test("that is replayed twice at once is attempted once for both", async () => {
    const { tracker, session, ofPartner, buy } = world
    const postback = await world.newPostback(ofPartner(), session, "/twice", SALE)
    await buy()
    const [{ id }] = await postback.settled(1)
    const press = () => postback.call("POST", `/deliveries/${id}/replay`)
    await world.system.sql`
      insert into delivery.leases (
        delivery_id, receiver_id, workspace_id, host, is_proven, token, until
      )
      select ${id}, receiver_id, 0, 'elsewhere', false, gen_random_uuid(), now() + interval '1 hour'
      from delivery.deliveries
      where id = ${id}
    ` // as if it was attempted right now
    expect(await Promise.all([press(), press()])).toEqual([{ queued: 1 }, { queued: 1 }])
    await world.system.sql`delete from delivery.leases where delivery_id = ${id}`
    const [delivered] = await postback.settled(1)
    expect(delivered.attempts).toHaveLength(2)
    expect(tracker.at("/twice")).toHaveLength(2)
    await postback.remove()
  })

  test("that is answered with 410 disables its postback", async () => {
    const { system, session, account, ofPartner, buy } = world
    const made = [
      await world.newPostback(OWN, account, "/gone/own", SALE),
      await world.newPostback(ofPartner(), session, "/gone/partner", SALE),
    ]
    for (const path of ["own", "partner"]) refused.set(`/gone/${path}`, [410])
    await buy()
    for (const postback of made) {
      const [failed] = await postback.settled(1)
      expect(failed).toMatchObject({ status: "failed", attempts: [{ response_status: 410 }] })
      await eventually(async () => (await postback.call("GET")).status === "disabled")
      const entries = await system.sql`
        select actor_kind, details
        from delivery.audit_entries
        where subject_id = ${postback.id} and action = 'postback.update'
      `
      expect([...entries]).toEqual([{ actor_kind: "system", details: { status: "disabled" } }])
      await postback.remove()
    }
  })
})

describe("the log", () => {
  test("is narrowed by status, type and time", async () => {
    const { session, ofPartner, buy } = world
    const postback = await world.newPostback(ofPartner(), session, "/log", SALE)
    await buy()
    const [delivery] = await postback.settled(1)
    const count = async (query: string) => (await postback.deliveries(query)).length
    expect(await count("&status=delivered&type=sale")).toBe(1)
    expect(await count("&status=failed")).toBe(0)
    expect(await count("&type=paid")).toBe(0)
    expect(await count(`&since=${delivery.created_at}&until=${delivery.created_at}`)).toBe(1)
    expect(await count("&until=2020-01-31")).toBe(0)
    for (const query of ["status=lost", "type=sale.recorded", "since=yesterday", "until=x"]) {
      expect(await postback.refusal("GET", `/deliveries?${query}`)).toBe(400)
    }
    await postback.remove()
  })

  test.each<[number, string, Record<string, unknown>]>([
    [400, "no since", {}],
    [400, "a since that is no time", { since: "yesterday" }],
    [400, "a since of more than 30 days ago", { since: "2020-01-31T00:00:00Z" }],
    [400, "an until before since", { since: "now", until: "2020-01-31T00:00:00Z" }],
    [400, "no types", { since: "now", types: [] }],
    [400, "an unknown type", { since: "now", types: ["sale.recorded"] }],
    [400, "an unknown choice", { since: "now", only: "some" }],
  ])("%i: a replay with %s", async (status, _what, fields) => {
    const postback = await world.newPostback(OWN, world.account, "/refused", SALE)
    const body = { ...fields, ...(fields.since === "now" && { since: minuteAgo() }) }
    expect(await postback.refusal("POST", "/replay", body)).toBe(status)
    await postback.remove()
  })

  test("404: a delivery of another postback", async () => {
    const { session, account, ofPartner, ofProgram } = world
    const others = [
      await world.newPostback(OWN, account, "/others", SALE),
      await world.newPostback(ofPartner(), session, "/others", SALE),
      await world.newPostback(ofProgram, session, "/others", SALE),
    ]
    for (const one of others) {
      const { delivery_id } = await one.call("POST", "/test")
      for (const other of others.filter(other => other !== one)) {
        const path = `/deliveries/${delivery_id}`
        expect(await other.refusal("GET", path)).toBe(404)
        expect(await other.refusal("POST", `${path}/replay`)).toBe(404)
      }
    }
    for (const each of others) await each.remove()
  })
})
