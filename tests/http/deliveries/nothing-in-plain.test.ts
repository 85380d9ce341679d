import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { dumpAllRows } from "../../support/columns"
import {
  type DeliverySystem,
  type Endpoint,
  launchWithReceiver,
} from "../../support/delivery-system"

let system: DeliverySystem
let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
let endpoint: Endpoint

beforeAll(async () => {
  system = await launchWithReceiver({ LOG_LEVEL: "trace" })
  workspace = await system.newWorkspace()
  endpoint = await workspace.newEndpoint(system.receiver.url("plain"))
}, 60_000)
afterAll(() => system?.receiver.stop())

const call = (method: string, path: string, body?: object) =>
  workspace.call(method, `/${endpoint.id}${path}`, body)

describe("a secret, once shown (invariant W9),", () => {
  test("is nowhere in plain: not in logs, the database, other replies or requests", async () => {
    const rotated = await call("POST", "/rotate-secret", { overlap_hours: 1 })
    system.receiver.answer(
      "plain",
      ({ headers, body }) => new Response(`${JSON.stringify(headers)} ${body}`, { status: 500 }),
    )
    await call("POST", "/test")
    await workspace.happen()
    const [{ id }] = await workspace.settled(endpoint, 2)
    await call("POST", `/deliveries/${id}/replay`)
    await workspace.settled(endpoint, 2)
    await call("POST", "/disable")
    const replies = [
      await call("PUT", "", { description: "Our shop" }),
      await call("GET", ""),
      await workspace.call("GET", ""),
      await call("GET", `/deliveries/${id}`),
      await call("POST", "/enable"),
    ]
    const logs = system.output()
    expect(logs).toContain("/rotate-secret")
    const places = {
      logs,
      database: await dumpAllRows(system.sql as never),
      replies: JSON.stringify(replies),
      requests: JSON.stringify(system.receiver.received("plain")),
    }
    for (const secret of [endpoint.secret, rotated.secret]) {
      const base64 = secret.slice("whsec_".length)
      const bytes = Buffer.from(base64, "base64")
      for (const [place, text] of Object.entries(places)) {
        for (const form of [base64, bytes.toString("base64url"), bytes.toString("hex")]) {
          expect(text.includes(form), place).toBe(false)
        }
      }
    }
  })
})

describe("the body of a response (invariant W9)", () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ["HTML", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    [
      "JSON",
      '{"status": "delivered", "__proto__": {}}',
      '{"status": "delivered", "__proto__": {}}',
    ],
    ["SQL and NUL", "\0'); drop table deliveries; --", "\uFFFD'); drop table deliveries; --"],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x41]), "\uFFFD\uFFFDA"],
    ["4,000 bytes of two-byte letters", "é".repeat(2_000), "é".repeat(512)],
  ])("is kept up to 1 KiB, as text, and not interpreted: %s", async (what, body, excerpt) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" }
    system.receiver.answer("plain", () => new Response(body, { headers }))
    expect(await call("POST", "/test")).toMatchObject({ ok: true, response_status: 200 })
    const [{ attempts }] = await workspace.deliveries(endpoint)
    expect([what, attempts[0].response_excerpt]).toEqual([what, excerpt])
  })
})
