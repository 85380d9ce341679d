import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import postgres from "postgres"
import { database_url } from "../../support/world"

const ROUNDS = 20
const LONG = 50 // rows of a result that takes many packets

const sockets = new Set<Socket>()
const proxy = createServer(client => {
  const { hostname, port } = new URL(database_url)
  const server = connect(Number(port), hostname)
  for (const [from, to] of [
    [client, server],
    [server, client],
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
beforeAll(() => new Promise<void>(resolve => proxy.listen(0, "127.0.0.1", resolve)))
afterAll(() => proxy.close())

/** A pool of one connection, so that queries wait for it. */
function poolOfOne(url: string) {
  return postgres(url, { max: 1, fetch_types: false, backoff: () => 0.01 })
}

function poolThroughProxy() {
  const address = new URL(database_url)
  address.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  return poolOfOne(address.href)
}

test("a query sent right after the connection was cut gets its own result", async () => {
  const sql = poolThroughProxy()
  let succeeded = 0
  let isRunning = true
  const errors = new Set<unknown>()
  const wrong: object[] = []

  /** Sends one query after the other, as batches do. */
  async function runQueries() {
    for (let query = 0; isRunning; query++) {
      try {
        const rows = await sql<{ answer: number }[]>`
          select ${query}::int as answer, repeat('x', 10_000)
          from generate_series(1, ${LONG})
        `
        const isOwn = Array.from(rows).every(row => row?.answer === query)
        if (rows.length !== LONG || !isOwn) wrong.push({ query, length: rows.length })
        succeeded++
      } catch (error) {
        errors.add((error as { code?: string }).code ?? error)
      }
    }
  }
  const running = runQueries()
  for (let round = 0; round < ROUNDS; round++) {
    const before = succeeded
    while (succeeded < before + 2) await Bun.sleep(1)
    for (const socket of sockets) socket.resetAndDestroy()
  }
  isRunning = false
  await running
  await sql.end({ timeout: 1 })

  expect(wrong).toEqual([])
  expect(errors).toContain("ECONNRESET")
  expect(new Set(["CONNECTION_CLOSED", "ECONNRESET"]).isSupersetOf(errors)).toBe(true)
})

test("the result after a failed query is complete", async () => {
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
