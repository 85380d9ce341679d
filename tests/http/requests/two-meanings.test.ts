import { describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { url } from "../../support/world"

const { port } = new URL(url)
const PROGRAMS = "/api/advertiser/affiliate-programs"

/** Sends a request byte for byte. Returns the status and the error of the reply. */
async function sendRaw(target: string, hosts = ["localhost"], method = "GET") {
  const socket = connect(Number(port), "localhost")
  const headers = hosts.map(host => `Host: ${host}\r\n`).join("")
  socket.write(`${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  const text = (await Array.fromAsync(socket, chunk => `${chunk}`)).join("")
  const [head = "", body = ""] = text.split("\r\n\r\n")
  return { status: Number(head.split(" ")[1]), error: JSON.parse(body).error as string | undefined }
}

describe("a request that a proxy may understand differently is refused: dot segments", () => {
  test.each([
    "/api/%2e%2e/healthz",
    "/api/%2E%2E/healthz",
    "/api/.%2e/healthz",
    "/api/../healthz",
    "/%2e/healthz",
    "/./healthz",
    `${PROGRAMS}/%2e%2e`,
    `${PROGRAMS}/%2e%2e/partners`,
    `${PROGRAMS}/1/partners/%2E`,
    `${PROGRAMS}/1/../1`,
    "http://localhost/api/%2e%2e/healthz",
  ])("%s", async target => {
    expect(await sendRaw(target)).toEqual({
      status: 400,
      error: "The path must have no dot segments.",
    })
  })

  test("in the path of a write", async () => {
    const { status } = await sendRaw("/api/v1/x/%2e%2e/track/click", ["localhost"], "POST")
    expect(status).toBe(400)
  })

  test.each([
    [200, "/healthz"],
    [200, "/healthz?next=/../x/%2e%2e/y"],
    [404, "/api/%2e%2e/nothing"],
    [404, "/healthz..."],
    [401, `${PROGRAMS}/1.0/partners`],
    [401, `${PROGRAMS}/...`],
  ])("%i: %s has none", async (status, target) => {
    expect((await sendRaw(target)).status).toBe(status)
  })
})

describe("a request that a proxy may understand differently is refused: a second Host", () => {
  test.each([
    [["localhost", "other.example"]],
    [["other.example", "localhost"]],
    [["localhost", "localhost"]],
    [["localhost, other.example"]],
  ])("%j", async hosts => {
    expect((await sendRaw("/healthz", hosts)).status).toBe(400)
    expect((await sendRaw("/api/v1/track/click", hosts, "POST")).status).toBe(400)
  })
})
