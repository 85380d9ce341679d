import { beforeAll, describe, expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { newProgram, type TestProgram } from "../support/program"
import { send, sql, url } from "../support/world"

const CLOSED_WITHIN_MS = 35_000
const SERVED_WITHIN_MS = 1_000
const CROWD = 100

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const click = () => JSON.stringify({ affiliate_url: `https://shop.example/?aff=${program.code}` })
const head = (length: number, more = "") =>
  `POST /api/v1/track/click HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${length}\r\n${more}\r\n`

/** Opens a connection, sends `text`, and collects what is received until it is closed. */
function open(text: string) {
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  const socket: Socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text))
  let received = ""
  socket.on("data", data => {
    received += data
  })
  socket.on("error", () => {}) // "close" follows
  socket.on("close", () => resolve(received))
  return { socket, ended, received: () => received }
}

async function expectOthersServed() {
  const startedAt = Date.now()
  expect((await send("GET", "/healthz")).status).toBe(200)
  expect(
    (await send("POST", "/api/v1/track/click", { body: click(), headers: JSON_TYPE })).status,
  ).toBe(200)
  expect(Date.now() - startedAt).toBeLessThan(SERVED_WITHIN_MS)
}
const JSON_TYPE = { "content-type": "application/json" }

const waitUntil = async (condition: () => boolean) => {
  for (let i = 0; i < 200 && !condition(); i++) await Bun.sleep(25)
  expect(condition()).toBe(true)
}

describe("a connection", () => {
  test.concurrent.each<[string, () => string]>([
    ["sends nothing", () => ""],
    ["stops in its headers", () => head(10).slice(0, -2)],
    ["stops in its body", () => head(click().length) + click().slice(0, 5)],
  ])(
    "that %s is closed, and others are served meanwhile",
    async (_case, text) => {
      const crowd = Array.from({ length: CROWD }, () => open(text()))
      await expectOthersServed()
      await Promise.all(crowd.map(({ ended }) => ended))
      await expectOthersServed()
    },
    CLOSED_WITHIN_MS,
  )

  test.concurrent.each<[string, () => string]>([
    ["headers", () => head(10).slice(0, -2)],
    ["body", () => head(1_000)],
  ])(
    "whose %s trickles in, a byte each second is closed",
    async (_case, text) => {
      const one = open(text())
      const drip = setInterval(() => one.socket.write("x"), 1_000)
      await one.ended
      clearInterval(drip)
    },
    CLOSED_WITHIN_MS,
  )

  test("that is reset in its body writes nothing and disturbs no other connection", async () => {
    const one = await newProgram()
    const crowd = Array.from({ length: CROWD }, () => open(head(200) + click().slice(0, 20)))
    await waitUntil(() => crowd.every(({ socket }) => socket.bytesWritten > 0))
    for (const { socket } of crowd) socket.resetAndDestroy()
    await expectOthersServed()
    const [{ clicks }] = await sql<[{ clicks: number }]>`
      select count(*) as clicks
      from tracking.affiliate_click_events
      where program_id = ${one.program_id}
    `
    expect(clicks).toBe(0)
  })

  test("whose client has stopped sending is closed", async () => {
    const one = open(head(click().length) + click())
    one.socket.end()
    await one.ended // Bun has no half-closed connections
    await expectOthersServed()
  })

  test("with pipelined requests gets the replies in order, or is closed", async () => {
    const healthz = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    const missing = "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    const received = await open(healthz + head(click().length) + click() + missing).ended
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    expect(statuses).not.toBeEmpty() // Bun may close the connection after the first
    expect(statuses).toEqual([200, 200, 404].slice(0, statuses.length))
  })

  test("that sends Expect: 100-continue gets 100 Continue", async () => {
    const one = open(head(click().length, "Expect: 100-continue\r\n"))
    await waitUntil(() => one.received().includes("100 Continue"))
    one.socket.write(click())
    await waitUntil(() => one.received().includes("HTTP/1.1 200 "))
    one.socket.destroy()
  })

  test.each([
    ["a header of 100 KB", () => head(2, `X: ${"x".repeat(100_000)}\r\n`)],
    ["10,000 headers", () => head(2, "X: x\r\n".repeat(10_000))],
    ["a URL of 100 KB", () => `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ["bytes that are not HTTP", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
    ["two Content-Lengths", () => head(2, "Content-Length: 200\r\n")],
    ["a Content-Length and chunks", () => head(2, "Transfer-Encoding: chunked\r\n")],
    ["a negative Content-Length", () => head(-1)],
  ])("with %s is refused at once and closed", async (_case, text) => {
    const one = open(`${text()}{}`)
    const received = await one.ended
    expect(received).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
    await expectOthersServed()
  })
})
