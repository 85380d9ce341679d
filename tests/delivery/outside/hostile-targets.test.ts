import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { findUrlRefusal, GUARD } from "../../../services/delivery/outside/destination"
import { send } from "../../../services/delivery/outside/send"
import { listen } from "./counting-listener"
import { HOSTILE_ANSWERS, HOSTILE_HOSTS } from "./hostile-targets"

let listener: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  listener = await listen(socket => socket.end("HTTP/1.1 200 OK\r\n\r\n"), { host: "::" })
})
afterAll(() => listener.close())

/** Lets every port and scheme be used, so that the address alone decides. */
const guardOf = (answers?: string[]) => ({
  ...GUARD,
  allows_http: true,
  ports: [listener.port],
  private_networks: [],
  ...(answers && { resolve: async () => answers }),
})

async function refuses(url: string, guard: ReturnType<typeof guardOf>) {
  expect(await findUrlRefusal(url, guard)).toMatch(/^The (host of the )?URL .+\.$/)
  const request = { method: "POST" as const, url, headers: {}, body: "{}" }
  const outcome = await send(request, { guard, connect_ms_max: 500 })
  expect(outcome).toMatchObject({ response_status: null, error: expect.stringContaining("URL") })
  expect(listener.connections()).toBe(0)
}

test("about 250 hosts are tried", () => {
  expect(HOSTILE_HOSTS.length).toBeGreaterThan(200)
})

test.each(HOSTILE_HOSTS)("no connection is made to %s", async host => {
  await refuses(`http://${host}:${listener.port}/`, guardOf())
  await refuses(`https://${host}:${listener.port}/`, guardOf())
})

describe("no connection is made to a name that resolves", () => {
  test.each(HOSTILE_ANSWERS)("to %s, alone or beside a public address", async answer => {
    const url = `http://hooks.example:${listener.port}/`
    await refuses(url, guardOf([answer]))
    await refuses(url, guardOf([answer, "93.184.215.14"]))
    await refuses(url, guardOf(["93.184.215.14", "2606:2800:21f::1", answer]))
  })

  test("not at all", async () => {
    await refuses(`https://missing.invalid:${listener.port}/`, guardOf())
    await refuses(`https://hooks.example:${listener.port}/`, guardOf([]))
  })

  test("to a public address when saved, and to another when sent to", async () => {
    const guard = guardOf(["93.184.215.14"])
    const url = `http://hooks.example:${listener.port}/`
    expect(await findUrlRefusal(url, guard)).toBeNull()
    await refuses(url, guardOf(["127.0.0.1"]))
  })
})

test("names whose resolvers hang do not hold up others", async () => {
  const names = Array.from({ length: 200 }, (_, i) => `hanging-${i}.invalid`)
  const hanging = names.map(name => findUrlRefusal(`https://${name}/`))
  const start_ms = performance.now()
  const guard = {
    ...GUARD,
    private_networks: [
      ["127.0.0.0", 8],
      ["::1", 128],
    ] as [string, number][],
  }
  expect(await findUrlRefusal("https://localhost/", guard)).toBeNull()
  expect(performance.now() - start_ms).toBeLessThan(1_000)
  await Promise.all(hanging)
})

test("the listener would have been reached", async () => {
  const guard = { ...guardOf(), private_networks: [["127.0.0.0", 8]] as [string, number][] }
  const url = `http://127.0.0.1:${listener.port}/`
  expect(await findUrlRefusal(url, guard)).toBeNull()
  const outcome = await send({ method: "POST", url, headers: {}, body: "{}" }, { guard })
  expect({ outcome, connections: listener.connections() }).toMatchObject({
    outcome: { response_status: 200, error: null },
    connections: 1,
  })
})
