import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, url } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
  for (let i = 0; i < 10; i++) await newClick(program)
})

const SMALL = "/healthz"
const events = () => `/api/tracking/events/${program.program_id}`

/** The reply as it travels. */
function raw(path: string, encoding: string, request: RequestInit = {}) {
  const headers = {
    authorization: `Bearer ${program.session}`,
    "accept-encoding": encoding,
    "content-type": "application/json",
  }
  return fetch(`${url}${path}`, { ...request, headers, decompress: false })
}

describe("a read larger than 1 kB", () => {
  test("is compressed, to the same JSON, with its type and Vary", async () => {
    const plain = await raw(events(), "identity")
    const zipped = await raw(events(), "gzip, br")
    const text = await plain.text()
    const bytes = new Uint8Array(await zipped.arrayBuffer())

    expect(plain.headers.get("content-encoding")).toBeNull()
    expect(zipped.headers.get("content-encoding")).toBe("gzip")
    expect(bytes.byteLength).toBeLessThan(text.length / 3)
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text)
    for (const { headers } of [plain, zipped]) {
      expect(headers.get("vary")).toBe("accept-encoding")
      expect(headers.get("content-type")).toBe("application/json;charset=utf-8")
      expect(headers.get("cache-control")).toBe("no-store")
    }
  })

  test.each(["gzip;q=0", "br", ""])("is not compressed for a client that accepts %p", async of => {
    const { headers } = await raw(events(), of)
    expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([
      null,
      "accept-encoding",
    ])
  })

  test("is compressed for HEAD as for GET, without a body", async () => {
    const head = await raw(events(), "gzip", { method: "HEAD" })
    expect(head.headers.get("content-encoding")).toBe("gzip")
    expect((await head.bytes()).byteLength).toBe(0)
  })

  test("is compressed as a document, too", async () => {
    const { headers } = await raw("/openapi.json", "gzip")
    expect(headers.get("content-encoding")).toBe("gzip")
  })
})

test("a small reply, CSV and a refusal are not compressed", async () => {
  const refused = `${events()}?x=%00`
  for (const path of [SMALL, `${events()}?format=csv`, refused, "/nowhere"]) {
    expect((await raw(path, "gzip")).headers.get("content-encoding")).toBeNull()
  }
  expect(await (await raw(refused, "gzip")).json()).toEqual({ error: expect.any(String) })
})

test("a reply to POST is never compressed: it may contain a secret", async () => {
  const body = JSON.stringify({
    name: "n".repeat(250),
    website_url: `https://a.example/${"x".repeat(1_500)}`,
  })
  const created = await raw("/api/advertiser/affiliate-programs", "gzip", { method: "POST", body })
  const text = await created.text()
  expect([created.status, created.headers.get("content-encoding")]).toEqual([201, null])
  expect(text.length).toBeGreaterThan(1_024)
  expect(JSON.parse(text).data.api_token).toStartWith("aff_")
})

test("send() reads compressed replies like others", async () => {
  const { body } = await send("GET", events(), { token: program.session })
  expect(body.data).toHaveLength(10)
})
