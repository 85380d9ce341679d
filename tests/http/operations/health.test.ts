import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { launchOwnSystem, type System } from "../../support/own-system"

const SERVICES = ["tracking", "commissions", "reporting", "identity"]

let world: System
let server: postgres.Sql // by another database of the same server

async function get(path: string) {
  const answer = await fetch(`${world.url}${path}`)
  const retry_after = answer.headers.get("retry-after")
  return { status: answer.status, retry_after, body: await answer.json() }
}

/** Lets nobody use the database, and cuts off whoever does. */
async function shut() {
  await server`alter database tributary allow_connections false`
  await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'tributary'`
}
const open = () => server`alter database tributary allow_connections true`

beforeAll(async () => {
  world = await launchOwnSystem()
  const { url } = await Bun.file(join(world.data_dir, "postgres.json")).json()
  server = postgres(url.replace(/[^/]*$/, "postgres"), { max: 1 })
}, 60_000)
afterAll(() => server?.end())

describe("while all is well", () => {
  test("/healthz, /readyz and /status say so", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "up" } })
    expect(await get("/readyz")).toMatchObject({ status: 200, body: { status: "up" } })
    const parts = Object.fromEntries(["gateway", ...SERVICES].map(name => [name, "up"]))
    expect(await get("/status")).toMatchObject({ status: 200, body: parts })
  })
})

describe("while the database is away", () => {
  beforeAll(shut)

  test("/healthz is up: the process lives", async () => {
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "up" } })
  })

  test("/readyz is 503: clicks cannot be recorded", async () => {
    expect(await get("/readyz")).toEqual({
      status: 503,
      retry_after: "1",
      body: { error: "Clicks cannot be recorded now." },
    })
  })

  test("/status is 503, and names what is down", async () => {
    const parts = Object.fromEntries(SERVICES.map(name => [name, "down"]))
    expect(await get("/status")).toMatchObject({
      status: 503,
      retry_after: "1",
      body: { gateway: "up", ...parts },
    })
  })

  test("all of them come back with it", async () => {
    await open()
    while ((await get("/status")).status !== 200) await Bun.sleep(50)
    expect((await get("/readyz")).status).toBe(200)
  })
})
