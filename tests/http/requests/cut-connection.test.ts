import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import postgres from "postgres"
import { database_url } from "../../support/world"

const ROUNDS = 20
const LONG = 50 // rows of an answer that comes in many packets

const sockets = new Set<Socket>()
const wire = createServer(near => {
  const { hostname, port } = new URL(database_url)
  const far = connect(Number(port), hostname)
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
function poolOfOne(url: string) {
  return postgres(url, { max: 1, fetch_types: false, backoff: () => 0.01 })
}

function cutAtWill() {
  const address = new URL(database_url)
  address.host = `127.0.0.1:${(wire.address() as { port: number }).port}`
  return poolOfOne(address.href)
}

test("who asks again as soon as his connection was cut is answered, and with his own answer", async () => {
  const sql = cutAtWill()
  let answered = 0
  let isAsking = true
  const refusals = new Set<unknown>()
  const wrong: object[] = []

  /** One after the other, as batches are. */
  async function askOn() {
    for (let asked = 0; isAsking; asked++) {
      try {
        const answers = await sql<{ answer: number }[]>`
          select ${asked}::int as answer, repeat('x', 10_000)
          from generate_series(1, ${LONG})
        `
        const isOwn = Array.from(answers).every(row => row?.answer === asked)
        if (answers.length !== LONG || !isOwn) wrong.push({ asked, length: answers.length })
        answered++
      } catch (error) {
        refusals.add((error as { code?: string }).code ?? error)
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
  expect(new Set(["CONNECTION_CLOSED", "ECONNRESET"]).isSupersetOf(refusals)).toBe(true)
})

test("an answer after one that ended in an error is whole", async () => {
  const sql = poolOfOne(database_url)
  const broken = sql`
    select 1 / (n - ${LONG}), repeat('x', 10_000)
    from generate_series(1, ${LONG}) as n
  `
  const refused = expect(broken).rejects.toThrow("division by zero")
  expect(Array.from(await sql`select 1 as answer`)).toEqual([{ answer: 1 }])
  await refused
  await sql.end()
})
