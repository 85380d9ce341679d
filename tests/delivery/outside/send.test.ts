import { afterEach, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { GUARD } from "../../../services/delivery/outside/destination"
import { send } from "../../../services/delivery/outside/send"
import { listen } from "./counting-listener"

type Listener = Awaited<ReturnType<typeof listen>>

const listeners: Listener[] = []
afterEach(async () => {
  const idle = await Promise.allSettled(listeners.map(listener => listener.becomesIdle()))
  for (const listener of listeners.splice(0)) listener.close()
  expect(idle.filter(({ status }) => status === "rejected")).toEqual([])
})

/** A listener that is closed after the test, which fails if a socket to it stays open. */
async function receiver(...options: Parameters<typeof listen>) {
  const listener = await listen(...options)
  listeners.push(listener)
  return listener
}

const LIMITS = { connect_ms_max: 300, response_ms_max: 600 }

const guardOf = (port: number, resolve = async () => ["127.0.0.1"]) => ({
  ...GUARD,
  allows_http: true,
  ports: [port],
  private_networks: [["127.0.0.0", 8]] as [string, number][],
  resolve,
})

/** Sends to a listener on loopback under the name hooks.example. */
const sendTo = (
  port: number,
  { url = `http://hooks.example:${port}/`, guard = guardOf(port) } = {},
) =>
  send(
    { method: "POST", url, headers: { "webhook-id": "evt_1" }, body: '{"a":"ü"}' },
    { guard, ...LIMITS },
  )

/** Answers with these bytes once the request has begun to come. */
const answer = (bytes: string | Buffer) => (socket: Socket) =>
  socket.once("data", () => socket.end(bytes))

const ok = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test("sends the request as it is, with the name as Host, on a socket of its own", async () => {
  const received: string[] = []
  const { port, connections } = await receiver(socket => {
    socket.on("data", data => {
      received.push(data.toString())
      if (data.toString().includes("}")) socket.write(ok("thanks", "Retry-After: 7\r\n"))
    })
  })
  for (let i = 1; i <= 2; i++) {
    const outcome = await sendTo(port, { url: `http://hooks.example:${port}/a%20b?c=d#e` })
    expect(outcome).toEqual({
      response_status: 200,
      latency_ms: expect.any(Number),
      error: null,
      response_excerpt: "thanks",
      retry_after_seconds: 7,
    })
    expect(connections()).toBe(i)
  }
  const [head, body] = received.join("").split("HTTP/1.1\r\n")
  expect(head).toBe("POST /a%20b?c=d ")
  const lines = body!.toLowerCase().split("\r\n")
  expect(lines).toEqual(
    expect.arrayContaining([
      `host: hooks.example:${port}`,
      "webhook-id: evt_1",
      "accept-encoding: identity",
      "content-length: 10",
      "connection: close",
    ]),
  )
  expect(received.join("")).toContain('{"a":"ü"}')
})

test("connects to the checked address, though the name leads elsewhere by now", async () => {
  const checked = await receiver(answer(ok("")), { host: "127.0.0.2" })
  const other = await receiver(answer(ok("")), { port: checked.port })
  const answers = [["127.0.0.2"], ["127.0.0.1"]]
  const guard = guardOf(checked.port, async () => answers.shift()!)
  expect((await sendTo(checked.port, { guard })).response_status).toBe(200)
  expect([checked.connections(), other.connections(), answers.length]).toEqual([1, 0, 1])
})

test("tries the next address if one cannot be connected to, but sends only once", async () => {
  const second = await receiver(socket => socket.once("data", () => socket.destroy()))
  const third = await receiver(answer(ok("")), { host: "127.0.0.3", port: second.port })
  const guard = guardOf(second.port, async () => ["127.0.0.2", "127.0.0.1", "127.0.0.3"])
  expect((await sendTo(second.port, { guard })).response_status).toBeNull()
  expect([second.connections(), third.connections()]).toEqual([1, 0])
})

test("connects to an IPv6 address that the URL names", async () => {
  let head = ""
  const { port } = await receiver(
    socket => {
      socket.once("data", data => {
        head = data.toString()
        socket.end(ok(""))
      })
    },
    { host: "::1" },
  )
  const guard = { ...guardOf(port), private_networks: [["::1", 128]] as [string, number][] }
  const outcome = await sendTo(port, { url: `http://[0:0::1]:${port}/`, guard })
  expect(outcome.response_status).toBe(200)
  expect(head.toLowerCase()).toContain(`host: [::1]:${port}\r\n`)
})

test("fifty receivers that hang leave no descriptor behind", async () => {
  const { port } = await receiver(socket => socket.once("data", () => socket.write(HEAD)))
  const before = readdirSync("/proc/self/fd").length
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => sendTo(port)))
  expect(outcomes.map(({ error }) => error)).toEqual(Array(50).fill("The response took too long."))
  await listeners[0]!.becomesIdle()
  expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before)
})

test("ignores proxy variables", async () => {
  const proxy = await receiver(answer(ok("")))
  const { port } = await receiver(answer(ok("")))
  const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
  const outcome = await sendTo(port)
  for (const name of names) delete process.env[name]
  expect([outcome.response_status, proxy.connections()]).toEqual([200, 0])
})

test.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async status => {
  const target = await receiver(answer(ok("")))
  const location = `Location: http://127.0.0.1:${target.port}/`
  const { port } = await receiver(
    answer(`HTTP/1.1 ${status} Moved\r\n${location}\r\nContent-Length: 0\r\n\r\n`),
  )
  expect((await sendTo(port)).response_status).toBe(status)
  expect(target.connections()).toBe(0)
})

/** Writes without an end, as fast as the other end reads. */
const flood = (start: string, piece: string) => (socket: Socket) => {
  const chunk = piece.repeat(65_536 / piece.length)
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on("drain", write)
  socket.once("data", () => {
    socket.write(start)
    write()
  })
}

const HEAD = "HTTP/1.1 200 OK\r\n"
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

describe("the status counts, whatever the body does:", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["no end", flood(`${HEAD}\r\n`, "x")],
    ["no end, in chunks", flood(CHUNKED, `400\r\n${"x".repeat(1_024)}\r\n`)],
    ["10 GB promised", flood(`${HEAD}Content-Length: 10000000000\r\n\r\n`, "x")],
    ["hanging", socket => socket.once("data", () => socket.write(`${HEAD}\r\nxx`))],
    ["shorter than promised", answer(`${HEAD}Content-Length: 99\r\n\r\nxx`)],
    ["longer than promised", answer(`${HEAD}Content-Length: 2\r\n\r\nxxyyyy`)],
    ["a malformed chunk", answer(`${CHUNKED}2\r\nxx\r\nzz\r\n`)],
    ["cut within a chunk", answer(`${CHUNKED}ff\r\nxx`)],
    [
      "reset",
      socket =>
        socket.once("data", () => socket.write(`${HEAD}\r\nxx`, () => socket.resetAndDestroy())),
    ],
  ])("%s", async (_what, receive) => {
    const { port } = await receiver(receive)
    const outcome = await sendTo(port)
    expect(outcome).toMatchObject({ response_status: 200, error: null })
    expect(outcome.response_excerpt).toMatch(/^x*$/)
    expect(outcome.response_excerpt!.length).toBeLessThanOrEqual(1_024)
  })
})

describe("a sentence says why there is no response:", () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ["silence", () => {}, "The response took too long."],
    ["half a head", socket => socket.write("HTTP/1.1 20"), "The response took too long."],
    ["headers without an end", flood(HEAD, "x: y\r\n"), "The request failed"],
    ["one header without an end", flood(`${HEAD}x: `, "y"), "The request failed"],
    ["100 Continue without an end", flood("", "HTTP/1.1 100 Continue\r\n\r\n"), "took too long"],
    ["closing at once", socket => socket.end(), "without a response"],
    ["a reset", socket => socket.resetAndDestroy(), "without a response"],
    ["another protocol", socket => socket.end("SSH-2.0-OpenSSH\r\n"), "The request failed"],
    ["nothing but noise", flood("", "\0\xff\r\n"), "The request failed"],
    [
      "a switch of the protocol",
      answer("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
      "changed the protocol",
    ],
  ])("%s", async (_what, receive, error) => {
    const { port } = await receiver(receive)
    const outcome = await sendTo(port)
    expect(outcome).toMatchObject({
      response_status: null,
      error: expect.stringContaining(error),
      response_excerpt: null,
      retry_after_seconds: null,
    })
    expect(outcome.latency_ms).toBeLessThan(10_000) // a flood takes the processor of this test, too
  })

  test("a closed port", async () => {
    const { port, close } = await listen()
    close()
    expect((await sendTo(port)).error).toBe("The receiver refused the connection.")
  })
})

test.each([
  ["NUL and broken bytes", Buffer.from([0x61, 0, 0xff, 0x62]), "a\uFFFD\uFFFDb"],
  ["a character that the limit cuts", Buffer.from(`${"x".repeat(1_023)}ü`), "x".repeat(1_023)],
  ["broken bytes alone", Buffer.alloc(2_000, 0xff), "\uFFFD".repeat(341)],
  ["nothing", Buffer.alloc(0), ""],
])("the excerpt of %s is text of at most 1 KiB", async (_what, body, excerpt) => {
  const head = Buffer.from(`${HEAD}Content-Length: ${body.length}\r\n\r\n`)
  const { port } = await receiver(answer(Buffer.concat([head, body])))
  expect((await sendTo(port)).response_excerpt).toBe(excerpt)
})

test("a compressed body is not unpacked", async () => {
  const bomb = gzipSync("x".repeat(10_000_000))
  const head = `${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
  const { port } = await receiver(answer(Buffer.concat([Buffer.from(head), bomb])))
  const { response_excerpt } = await sendTo(port)
  expect(response_excerpt).not.toContain("xxx")
})

test.each<[string, number | null]>([
  ["0", 0],
  ["120", 120],
  ["9".repeat(30), 86_400],
  ["Fri, 01 Jan 2100 00:00:00 GMT", 86_400],
  ["Sat, 01 Jan 2000 00:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
  ["2100-01-01", null],
])("Retry-After: %s is %p seconds", async (header, seconds) => {
  const { port } = await receiver(answer(ok("", `Retry-After: ${header}\r\n`)))
  expect((await sendTo(port)).retry_after_seconds).toBe(seconds)
})
