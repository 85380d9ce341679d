import { beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { customerOf } from "../../support/clicks"
import { newClick, newProgram, type TestProgram } from "../../support/program"
import { send, sql, url } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

/** Sends raw bytes, which may not be valid HTTP. Returns the response. */
function raw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text))
  let answer = ""
  socket.on("data", data => {
    answer += data
  })
  socket.on("end", () => resolve(answer))
  socket.on("error", reject)
  return promise
}

describe("at the edges of HTTP", () => {
  test.each(["a b", "[", "]["])("a Host header like %p is 400", async host => {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(answer).toStartWith("HTTP/1.1 400 ")
  })

  test.each<[number, string, string]>([
    [404, "POST", "/api/v1/track/click/"],
    [404, "POST", "/api/v1/track/foo"],
    [404, "OPTIONS", "/api/v1/track/foo"],
    [404, "GET", "/api//auth/session"],
    [405, "PATCH", "/api/v1/track/click"],
    [405, "PUT", "/healthz"],
  ])("%i: %s %s", async (status, method, path) => {
    expect(await send(method, path)).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("lists all methods of a path in Allow, also HEAD and OPTIONS", async () => {
    const allowed = async (path: string) => (await send("PATCH", path)).headers.get("allow")
    expect(await allowed("/api/v1/track/click")).toBe("POST, OPTIONS")
    expect(await allowed("/healthz")).toBe("GET, HEAD")
    expect((await fetch(`${url}/healthz`, { method: "HEAD" })).status).toBe(200)
  })
})

describe("at the edges of values", () => {
  const policy = (fields: object) => ({ commission: { kind: "percent", rate_bps: 1, ...fields } })

  test.each([
    ["a year that becomes 10000 in UTC", { effective_from: "9999-12-31T23:59:59-23:59" }],
    ["a time that has no offset", { effective_from: "2030-01-01T00:00:00" }],
    ["a day that does not exist", { effective_from: "2030-02-30" }],
    ["text that is not a time", { effective_from: "Jan 1 2030" }],
    ["a time in the past", { effective_from: "2020-01-01" }],
    [
      "a product twice",
      { products: Array(2).fill({ product_id: "p", kind: "percent", rate_bps: 1 }) },
    ],
  ])("400, and no change is left open: a policy with %s", async (_why, fields) => {
    const change = { token: program.session, body: policy(fields) }
    expect((await send("PUT", program.path, change)).status).toBe(400)
    const name = { token: program.session, body: { name: "Still here" } }
    expect((await send("PUT", program.path, name)).status).toBe(200)
  })

  test.each(["0", "01", "+1", "1.0", "1e3", "٣", "9007199254740993", "1%00"])(
    "404: the program id %p",
    async id => {
      const path = `/api/advertiser/affiliate-programs/${id}`
      expect((await send("GET", path, { token: program.session })).status).toBe(404)
    },
  )

  test("an id may have 255 characters of any size in bytes", async () => {
    const click_id = await newClick(program)
    const sale = (transaction_id: string) =>
      send("POST", "/api/v1/track/sale", {
        token: program.api_token,
        body: { transaction_id, amount_cents: 1, click_id },
      })
    expect((await sale("🦀".repeat(255))).status).toBe(200)
    expect((await sale("🦀".repeat(256))).status).toBe(400)
  })

  test("the lengths of a reason, an e-mail address and a URL count characters", async () => {
    const token = program.api_token
    const track = (path: string, body: object) =>
      send("POST", `/api/v1/track/${path}`, { token, body })
    const url = (x: string) => `https://shop.example/?aff=${program.code}&x=${x}`
    const room = 8_192 - url("").length
    expect((await track("click", { affiliate_url: url("🦀".repeat(room)) })).status).toBe(200)
    expect((await track("click", { affiliate_url: url("🦀".repeat(room + 1)) })).status).toBe(400)

    const click_id = await newClick(program)
    const maskOf = async (email: string) => {
      expect((await track("lead", { click_id, email })).status).toBe(200)
      return (await customerOf(click_id)).email_masked
    }
    expect(await maskOf(`${"🦀".repeat(319)}@b`)).toBeNull() // counts as absent
    expect(await maskOf(`${"🦀".repeat(318)}@b`)).toStartWith("🦀***@")

    const transaction_id = `🦀 ${Date.now()}`
    await track("sale", { transaction_id, amount_cents: 1, click_id })
    const refund = { transaction_id, refund_reason: `${"🦀".repeat(1_024)}x` }
    expect((await track("refund", refund)).body).toMatchObject({ status: "reversed" })
    const [commission] = await sql`
      select refund_reason
      from commissions.commissions
      where transaction_id = ${transaction_id}
    `
    expect(commission).toEqual({ refund_reason: "🦀".repeat(1_024) })
  })

  test("400: a sale whose line_items take more than 16 KiB when they are written out", async () => {
    const click_id = await newClick(program)
    const sale = (numbers: number) => {
      const items = `{"a": [${Array(numbers).fill("1e20")}]}`
      const body = `{"transaction_id": "1e20 ${Date.now()}", "amount_cents": 1,
        "click_id": "${click_id}", "line_items": ${items}}`
      return send("POST", "/api/v1/track/sale", { token: program.api_token, body })
    }
    expect((await sale(40_000)).status).toBe(400)
    expect((await sale(750)).status).toBe(400) // 16.5 KB: a number takes 22 characters
    expect((await sale(740)).status).toBe(200)
  })

  test("a click is recorded even if its time zone is a long list", async () => {
    const affiliate_url = `https://shop.example/?aff=${program.code}`
    const timezone = `[${Array(50_000).fill("1e20")}]`
    const body = `{"affiliate_url": "${affiliate_url}", "timezone": ${timezone}}`
    expect((await send("POST", "/api/v1/track/click", { body })).status).toBe(200)
  })

  test("a -0 is accepted in an unknown field", async () => {
    const token = program.api_token
    const click_id = await newClick(program)
    const body = `{"click_id": "${click_id}", "unknown": -0}`
    expect((await send("POST", "/api/v1/track/lead", { token, body })).status).toBe(200)
  })

  test("policies of a thousand products are stored and listed", async () => {
    const products = Array.from({ length: 1_000 }, (_, i) => ({
      product_id: `${i}`.padEnd(190, "x"),
      kind: "percent",
      rate_bps: 1,
    }))
    const body = { name: "Wide", policy: { kind: "percent", rate_bps: 1, products } }
    for (let i = 0; i < 6; i++) {
      const { status } = await send("POST", `${program.path}/groups`, {
        token: program.session,
        body,
      })
      expect(status).toBe(201)
    }
    const listed = await send("GET", `${program.path}/groups`, { token: program.session })
    expect(listed.body.data).toHaveLength(7)
  })

  test("a balance may exceed the largest amount", async () => {
    const rich = await newProgram({ commission: { kind: "percent", rate_bps: 10_000 } })
    const click_id = await newClick(rich)
    for (let i = 0; i < 3; i++) {
      const transaction_id = `${click_id} ${i}`
      const { status } = await send("POST", "/api/v1/track/sale", {
        token: rich.api_token,
        body: { transaction_id, amount_cents: Number.MAX_SAFE_INTEGER, click_id },
      })
      expect(status).toBe(200)
    }
    const refund = { transaction_id: `${click_id} 0`, refund_amount_cents: 3 }
    const { body } = await send("POST", "/api/v1/track/refund", {
      token: rich.api_token,
      body: refund,
    })
    expect(body).toMatchObject({ status: "refunded", deductionAmount: 0.03 })
  })
})
