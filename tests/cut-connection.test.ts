import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import postgres from "postgres"
import { database_url } from "./world"

const ROUNDS = 20

const sockets = new Set<Socket>()
const wire = createServer(near => {
  const far = connect(Number(new URL(database_url).port), "127.0.0.1")
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(from)
    from.pipe(to)
    from.on("error", () => {}) // "close" follows
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
  }
})
beforeAll(() => new Promise<void>(resolve => wire.listen(0, "127.0.0.1", resolve)))
afterAll(() => wire.close())

/** A pool of one connection: what has to wait waits for that one. */
function poolOfOne() {
  const address = new URL(database_url)
  address.host = `127.0.0.1:${(wire.address() as { port: number }).port}`
  return postgres(address.href, { max: 1, fetch_types: false, backoff: () => 0.01 })
}

test("who asks again as soon as his connection was cut is answered, and with his own answer", async () => {
  const sql = poolOfOne()
  let answered = 0
  let isAsking = true
  const refusals = new Set<string>()
  const wrong: object[] = []

  /** One after the other, as batches are. */
  async function askOn() {
    for (let asked = 0; isAsking; asked++) {
      try {
        const [{ answer }] = await sql<[{ answer: number }]>`select ${asked}::int as answer`
        if (answer !== asked) wrong.push({ asked, answer })
        answered++
      } catch (error) {
        refusals.add((error as { code: string }).code)
      }
    }
  }
  const asking = askOn()
  for (let round = 0; round < ROUNDS; round++) {
    const before = answered
    while (answered < before + 2) await Bun.sleep(1)
    for (const socket of sockets) socket.resetAndDestroy()
  }
  isAsking = false
  await asking
  await sql.end({ timeout: 1 })

  expect(wrong).toEqual([])
  expect(refusals).toContain("ECONNRESET")
})
