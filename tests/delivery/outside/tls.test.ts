import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:https"
import type { TLSSocket } from "node:tls"
import { GUARD } from "../../../services/delivery/outside/destination"
import { send } from "../../../services/delivery/outside/send"
import { newAuthority, type Pair } from "../../deploy/certificates"
import { listen } from "./counting-listener"

const folder = mkdtempSync("/tmp/tributary-outside-")
const servers: Server[] = []
const requests: { host?: string; servername: string }[] = []
let ca: string
let named: number // the port of a receiver with the certificate of hooks.example
let addressed: number // the port of one with the certificate of 127.0.0.1

beforeAll(async () => {
  const authority = await newAuthority(folder, "authority")
  ca = readFileSync(authority.ca, "utf8")
  named = await serve(await authority.sign("hooks", ["DNS:hooks.example"]))
  addressed = await serve(await authority.sign("address", ["IP:127.0.0.1"]))
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

async function serve({ cert, key }: Pair): Promise<number> {
  const pair = { cert: readFileSync(cert), key: readFileSync(key) }
  const server = createServer(pair, (request, response) => {
    const { servername } = request.socket as TLSSocket & { servername: string }
    requests.push({ host: request.headers.host, servername })
    response.end("thanks")
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as { port: number }).port
}

const sendTo = (host: string, port: number, settings: { ca?: string } = { ca }) =>
  send(
    { method: "POST", url: `https://${host}:${port}/`, headers: {}, body: "{}" },
    {
      guard: {
        ...GUARD,
        ports: [port],
        private_networks: [["127.0.0.0", 8]],
        resolve: async () => ["127.0.0.1"],
      },
      connect_ms_max: 500,
      response_ms_max: 800,
      ...settings,
    },
  )

test.each(["hooks.example", "hooks.example."])("%s is the name in TLS and in Host", async host => {
  expect(await sendTo(host, named)).toMatchObject({ response_status: 200, error: null })
  expect(requests.pop()).toEqual({ host: `${host}:${named}`, servername: "hooks.example" })
})

test("an address needs a certificate for the address", async () => {
  expect((await sendTo("127.0.0.1", addressed)).response_status).toBe(200)
  expect((await sendTo("127.0.0.1", named)).response_status).toBeNull()
  requests.length = 0
})

test("nothing is sent to a receiver with a wrong certificate", async () => {
  const foreign = await newAuthority(folder, "foreign")
  const { error } = await sendTo("other.example", named)
  expect(error).toBe("The certificate of the receiver is for another name.")
  for (const settings of [{ ca: readFileSync(foreign.ca, "utf8") }, {}]) {
    expect(await sendTo("hooks.example", named, settings)).toMatchObject({
      response_status: null,
      error: expect.stringMatching(/^The request failed \(\w+\)\.$/),
    })
  }
  expect(requests).toHaveLength(0)
})

test.each<[string, string | null, string]>([
  ["is silent", null, "The connection took too long."],
  ["speaks plain HTTP", "HTTP/1.1 200 OK\r\n\r\n", "The request failed"],
  ["sends noise", "\x16\x03\x03\xff\xff", ""],
])("a receiver that %s instead of TLS is given up", async (_what, bytes, error) => {
  const listener = await listen(socket => {
    if (bytes) socket.once("data", () => socket.end(bytes))
  })
  const outcome = await sendTo("hooks.example", listener.port)
  expect(outcome).toMatchObject({ response_status: null, error: expect.stringContaining(error) })
  expect(outcome.latency_ms).toBeLessThan(2_000)
  await listener.becomesIdle()
  listener.close()
})
