import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { launchOwnSystem, type System } from "../../support/own-system"

const SERVICES = ["tracking", "commissions", "reporting", "identity", "delivery"]

let system: System
let server: postgres.Sql // connected to another database of the same server

async function get(path: string) {
  const answer = await fetch(`${system.url}${path}`)
  const retryAfter = answer.headers.get("retry-after")
  return { status: answer.status, retryAfter, body: await answer.json() }
}

/** Refuses new connections to the database and ends the open ones. */
async function closeDatabase() {
  await server`alter database tributary allow_connections false`
  await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'tributary'`
}
const openDatabase = () => server`alter database tributary allow_connections true`

beforeAll(async () => {
  system = await launchOwnSystem()
  const { url } = await Bun.file(join(system.data_dir, "postgres.json")).json()
  server = postgres(url.replace(/[^/]*$/, "postgres"), { max: 1 })
}, 60_000)
afterAll(() => server?.end())

describe("while everything is up", () => {
  test("/healthz, /readyz and /status report it", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "up" } })
    expect(await get("/readyz")).toMatchObject({ status: 200, body: { status: "up" } })
    const parts = Object.fromEntries(["gateway", ...SERVICES].map(name => [name, "up"]))
    expect(await get("/status")).toMatchObject({ status: 200, body: parts })
  })
})

describe("while the database is down", () => {
  beforeAll(closeDatabase)

  test("/healthz is up: the process runs", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "up" } })
  })

  test("/readyz is 503: clicks cannot be recorded", async () => {
    expect(await get("/readyz")).toEqual({
      status: 503,
      retryAfter: "1",
      body: { error: "Clicks cannot be recorded now." },
    })
  })

  test("/status is 503, and names what is down", async () => {
    const parts = Object.fromEntries(SERVICES.map(name => [name, "down"]))
    expect(await get("/status")).toMatchObject({
      status: 503,
      retryAfter: "1",
      body: { gateway: "up", ...parts },
    })
  })

  test("all three recover with it", async () => {
    await openDatabase()
    while ((await get("/status")).status !== 200) await Bun.sleep(50)
    expect((await get("/readyz")).status).toBe(200)
  })
})
