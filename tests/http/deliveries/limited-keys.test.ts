import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  type DeliverySystem,
  type Endpoint,
  launchWithReceiver,
} from "../../support/delivery-system"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const ENDPOINTS = "/api/advertiser/webhook-endpoints"

let system: DeliverySystem
let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
let other_id: number // a program that the key does not have
let own: Endpoint
let others: Endpoint[] // of the other program, of both, and of all
let deliveryOf: Map<number, number>
let request: (method: string, path: string, body?: object) => ReturnType<DeliverySystem["request"]>

beforeAll(async () => {
  system = await launchWithReceiver()
  workspace = await system.newWorkspace()
  const { program_id, session: token } = workspace
  const body = { name: "Other", website_url: "https://other.example" }
  other_id = (await system.request("POST", PROGRAMS, { token, body })).body.data.id
  const limits = { name: "Key", program_scope: [program_id] }
  const { key } = (
    await system.request("POST", "/api/advertiser/api-keys", { token, body: limits })
  ).body.data
  request = (method, path, body) => system.request(method, path, { token: key, body })

  const { url } = system.receiver
  const created = await request("POST", ENDPOINTS, {
    url: url("own"),
    events: ["*"],
    program_ids: [program_id],
  })
  own = created.body.data
  others = [
    await workspace.newEndpoint(url("other"), { program_ids: [other_id] }),
    await workspace.newEndpoint(url("both"), { program_ids: [program_id, other_id] }),
    await workspace.newEndpoint(url("all")),
  ]
  await workspace.happen()
  await system.request("PUT", `${PROGRAMS}/${other_id}`, { token, body: { name: "Renamed" } })
  for (const [endpoint, events] of [
    [own, 1],
    [others[0]!, 1],
    [others[1]!, 2],
    [others[2]!, 2],
  ] as const) {
    await workspace.settled(endpoint, events)
  }
  deliveryOf = new Map(
    await Promise.all(
      others.map(
        async ({ id }) => [id, (await workspace.deliveries({ id } as Endpoint))[0].id] as const,
      ),
    ),
  )
}, 60_000)
afterAll(() => system?.receiver.stop())

describe("a key that is limited to a program (invariant W6)", () => {
  test("makes endpoints that receive the events of this program alone", async () => {
    const programs = system.receiver.received("own").map(({ body }) => JSON.parse(body).program_id)
    expect(programs).toEqual([workspace.program_id])
    const { body } = await request("GET", `${ENDPOINTS}/${own.id}/deliveries`)
    expect(body.data).toHaveLength(1)
  })

  test("sees no other endpoint, and none of its deliveries", async () => {
    const listed = await request("GET", ENDPOINTS)
    expect(listed.body.data.map(({ id }: Endpoint) => id)).toEqual([own.id])
    const since = new Date(Date.now() - 60_000).toISOString()
    for (const { id } of others) {
      const delivery = `deliveries/${deliveryOf.get(id)}`
      const calls: [string, string, object?][] = [
        ["GET", ""],
        ["PUT", "", { events: ["*"] }],
        ["DELETE", ""],
        ["POST", "/enable"],
        ["POST", "/disable"],
        ["POST", "/rotate-secret"],
        ["POST", "/test"],
        ["GET", "/deliveries"],
        ["GET", `/${delivery}`],
        ["POST", `/${delivery}/replay`],
        ["POST", "/replay", { since }],
      ]
      for (const [method, path, body] of calls) {
        const { status } = await request(method, `${ENDPOINTS}/${id}${path}`, body)
        expect([method, path, status]).toEqual([method, path, 404])
      }
      // nor through its own endpoint
      expect((await request("GET", `${ENDPOINTS}/${own.id}/${delivery}`)).status).toBe(404)
    }
  })

  test("makes no endpoint that would hear of other programs, nor widens its own", async () => {
    const { program_id } = workspace
    for (const program_ids of [null, undefined, [other_id], [program_id, other_id]]) {
      const fields = { url: system.receiver.url("wide"), events: ["*"], program_ids }
      expect((await request("POST", ENDPOINTS, fields)).status).toBe(403)
    }
    for (const program_ids of [null, [other_id], [program_id, other_id]]) {
      expect((await request("PUT", `${ENDPOINTS}/${own.id}`, { program_ids })).status).toBe(403)
    }
  })

  test("reads the event log of this program alone", async () => {
    const logOf = (id: number) => request("GET", `${PROGRAMS}/${id}/event-log`)
    expect((await logOf(other_id)).status).toBe(403)
    const { status, body } = await logOf(workspace.program_id)
    const programs = body.data.map((event: { program_id: number }) => event.program_id)
    expect({ status, programs }).toEqual({ status: 200, programs: [workspace.program_id] })
  })
})
