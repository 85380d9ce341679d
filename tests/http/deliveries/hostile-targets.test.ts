import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { listen } from "../../delivery/outside/counting-listener"
import { HOSTILE_HOSTS } from "../../delivery/outside/hostile-targets"
import {
  type DeliverySystem,
  type Endpoint,
  launchWithReceiver,
} from "../../support/delivery-system"
import { eventually } from "../../support/webhook-receiver"

const TIMEOUT_MS = 60_000

let listener: Awaited<ReturnType<typeof listen>>
let system: DeliverySystem
let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
let endpoint: Endpoint
let urls: string[]

/** The operator allows http, the port of the listener and one private network. */
beforeAll(async () => {
  listener = await listen(socket => socket.end("HTTP/1.1 200 OK\r\n\r\n"), { host: "::" })
  system = await launchWithReceiver({ DELIVERY_PORTS: `${listener.port}`, DELIVERY_RETRIES: "0s" })
  workspace = await system.newWorkspace()
  endpoint = await workspace.newEndpoint(system.receiver.url("redirect"))
  urls = HOSTILE_HOSTS.flatMap(host =>
    ["http", "https"].map(scheme => `${scheme}://${host}:${listener.port}/`),
  )
}, TIMEOUT_MS)
afterAll(() => {
  listener.close()
  system?.receiver.stop()
})

describe("no connection is made to about 250 hostile hosts (invariant W7)", () => {
  test(
    "when an endpoint is created or changed",
    async () => {
      expect(HOSTILE_HOSTS.length).toBeGreaterThan(200)
      for (const url of urls) {
        const statuses = await Promise.all([
          workspace.refusal("POST", "", { url, events: ["*"] }),
          workspace.refusal("PUT", `/${endpoint.id}`, { url }),
        ])
        expect([url, ...statuses]).toEqual([url, 400, 400])
      }
      expect(listener.connections()).toBe(0)
    },
    TIMEOUT_MS,
  )

  test(
    "when an event is delivered to an endpoint that was saved nevertheless",
    async () => {
      const { sql } = system
      const endpoints = await sql<{ id: number }[]>`
        insert into delivery.webhook_endpoints (workspace_id, url, events, payload)
        select ${workspace.workspace_id}, url, '{*}', 'full'
        from unnest(${urls}::text[]) as url
        returning id
      `
      const ids = endpoints.map(({ id }) => id)
      await sql`
        insert into delivery.receivers (endpoint_id, workspace_id, host)
        select id, workspace_id, url
        from delivery.webhook_endpoints
        where id = any (${ids})
      `
      await workspace.happen()
      const attempts = await eventually(async () => {
        const ended = await sql<{ response_status: number | null; error: string }[]>`
          select response_status, error
          from delivery.attempts
          join delivery.deliveries on deliveries.id = delivery_id
          join delivery.receivers on receivers.id = receiver_id
          where endpoint_id = any (${ids})
        `
        return ended.length === urls.length ? ended : null
      }, TIMEOUT_MS / 2)
      for (const attempt of attempts) {
        expect(attempt).toEqual({
          response_status: null,
          error: expect.stringMatching(/^The (host of the )?URL .+\.$/),
        })
      }
      expect(listener.connections()).toBe(0)
      await sql`delete from delivery.webhook_endpoints where id = any (${ids})`
    },
    TIMEOUT_MS,
  )

  test(
    "when a receiver redirects to it",
    async () => {
      let location = ""
      const isOfHeader = (url: string) => /^http:[!-~]+$/.test(url)
      system.receiver.answer(
        "redirect",
        () => new Response("", { status: 302, headers: { location } }),
      )
      for (location of urls.filter(isOfHeader)) {
        const tested = await workspace.call("POST", `/${endpoint.id}/test`)
        expect([location, tested]).toMatchObject([location, { ok: false, response_status: 302 }])
      }
      expect(listener.connections()).toBe(0)
    },
    TIMEOUT_MS,
  )
})

test("the listener would have been reached", async () => {
  expect((await fetch(`http://127.0.0.1:${listener.port}/`)).status).toBe(200)
  expect(listener.connections()).toBe(1)
})
