import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Subprocess } from "bun"
import postgres from "postgres"
import { claimDataDir } from "../../deploy/data-dir"
import { podOf } from "../../deploy/kubernetes/pods"
import { OVERLAYS } from "../../deploy/kubernetes/system"
import { PART_NAMES, type Part, SERVICE_NAMES } from "../../deploy/part"
import { freePort } from "../../deploy/port"
import { embeddedPostgres } from "../../deploy/postgres"
import { natsServer, redisServer } from "../../deploy/servers"
import packages from "../../package.json"
import { bases, buildImage, entrypoint, filesIn, user } from "./image"

const TIMEOUT_MS = 120_000

type Run = Awaited<ReturnType<typeof buildImage>>
type Child = ReturnType<Run>

describe("the Dockerfile", () => {
  test("pins the Bun that everything is tested with, and ends without a shell", () => {
    const { bun } = packages.dependencies
    expect(bases).toEqual([`oven/bun:${bun}-slim`, `oven/bun:${bun}-distroless`])
    expect(entrypoint[0]).toBe("/usr/local/bin/bun")
  })

  test("names a user by a number that is not root's", () => {
    expect(user).toMatch(/^[1-9]\d+:[1-9]\d+$/)
  })
})

describe.skipIf(!Bun.which("nats-server"))("what the image holds", () => {
  let folder: string
  let run: Run
  let before: string[]
  let servers: Awaited<ReturnType<typeof startServers>>
  const children: Child[] = []
  const ports: Record<string, { PORT: string; METRICS_PORT: string }> = {}

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tributary-image-"))
    run = await buildImage(folder)
    before = filesIn(join(folder, "app"))
    servers = await startServers(join(folder, "data"))
  }, TIMEOUT_MS)

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await servers?.end()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (environment: Record<string, string>) => {
    const child = run({ LOG_LEVEL: "warn", ...environment })
    children.push(child)
    return child
  }

  test("refuses a process that it does not know in one sentence", async () => {
    expect(await ended(start({ SERVICE: "trackign" }))).toEqual({
      code: 1,
      output:
        "SERVICE must be one of identity, commissions, tracking, reporting, gateway, migrate.\n",
    })
  })

  test("migrates, and finds nothing to do the next time", async () => {
    const output = SERVICE_NAMES.map(name => `The schema ${name} is up to date.\n`).join("")
    for (const _time of ["first", "second"]) {
      const migrating = start(servers.environmentOf("migrate"))
      expect(await ended(migrating)).toEqual({ code: 0, output })
    }
  })

  test(
    "is each process, for a user who may write nothing",
    async () => {
      for (const part of PART_NAMES) {
        ports[part] = { PORT: `${await freePort()}`, METRICS_PORT: `${await freePort()}` }
        const child = start({ ...servers.environmentOf(part), ...ports[part] })
        await up(`${addressOf(part)}/readyz`, child)
      }
      await up(`${gateway()}/status`, children.at(-1)!)
    },
    TIMEOUT_MS,
  )

  test("takes a click to its refund", async () => {
    const { token } = await post("/api/auth/sign-up", {
      email: "owner@example.com",
      password: "correct horse battery",
      name: "Owner",
    })
    const programs = "/api/advertiser/affiliate-programs"
    const { id, api_token } = await post(programs, { name: "Shop" }, token)
    const partner = { email: "partner@example.com", name: "Partner" }
    const { links } = await post(`${programs}/${id}/partners`, partner, token)

    const affiliate_url = `https://shop.example/?aff=${links[0].code}`
    const { click_id } = await post("/api/v1/track/click", { affiliate_url })
    const customer_key = "customer"
    await post("/api/v1/track/lead", { click_id, customer_key }, api_token)
    const sale = { customer_key, transaction_id: "order", amount_cents: 5_000 }
    const sold = await post("/api/v1/track/sale", sale, api_token)
    expect(sold).toMatchObject({ success: true, commission_id: expect.any(Number) })
    const refunded = await post("/api/v1/track/refund", { transaction_id: "order" }, api_token)
    expect(refunded).toMatchObject({ status: "reversed", deductionAmount: 15 })

    const events = await post(`/api/tracking/events/${id}`, undefined, token)
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      "conversion",
      "lead",
      "click",
    ])
  })

  test("serves its page, its script and its documents", async () => {
    for (const path of ["/docs", "/openapi.json", "/service-tracker.js", "/metrics"]) {
      const address = path === "/metrics" ? addressOf("gateway") : gateway()
      expect((await fetch(`${address}${path}`)).status, path).toBe(200)
    }
  })

  test("has operators' commands", async () => {
    const audited = await ended(run({ NATS_URL: servers.operator }, ["deploy/audit.ts"]))
    expect(audited.output).toContain("Each sale and its commission name each other")
    expect(audited.code).toBe(0)
  })

  test("ends in order, and has written nothing", async () => {
    const running = children.filter(({ exitCode }) => exitCode === null)
    expect(running.length).toBe(PART_NAMES.length)
    for (const child of running) child.kill("SIGTERM")
    const ends = await Promise.all(running.map(ended))
    expect(ends).toEqual(PART_NAMES.map(() => ({ code: 0, output: "" })))
    expect(filesIn(join(folder, "app"))).toEqual(before)
  }, 20_000)

  const addressOf = (part: string) => `http://127.0.0.1:${ports[part]!.METRICS_PORT}`
  const gateway = () => `http://127.0.0.1:${ports.gateway!.PORT}`

  /** Asks the gateway; GET without a body. Returns what stands under `data`, where that is. */
  async function post(path: string, body?: object, token?: string) {
    const answer = await fetch(`${gateway()}${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    const answered = await answer.json()
    expect(answer.ok, `${path}: ${JSON.stringify(answered)}`).toBe(true)
    return answered.data ?? answered
  }
})

/**
 * The servers, as `npm start` runs them; and the environment that a pod of the manifests has, with
 * their addresses. Its user of PostgreSQL may make schemas and roles, and is no superuser.
 */
async function startServers(path: string) {
  const data_dir = claimDataDir(path)
  const database = await embeddedPostgres(data_dir)
  const children: Subprocess[] = [await database.spawn()]
  await database.ready()
  const sql = postgres(database.url(), { max: 1 })
  await sql`create role tributary login createrole password 'secret'`
  await sql`alter database tributary owner to tributary`
  await sql.end()

  const nats = await natsServer(data_dir)
  const redis = await redisServer(data_dir)
  children.push(await nats.spawn())
  if (redis) children.push(await redis.spawn())

  const addresses = {
    "postgres:5432": new URL(database.url()).host,
    "nats:4222": new URL(nats.urls.operator!).host,
    "valkey:6379": new URL(redis?.url ?? "redis://127.0.0.1:1").host,
  }
  const secrets: Record<string, string> = {
    SECRET_KEY: "the key of a test",
    GATEWAY_SECRET_KEY: "another",
    POSTGRES_PASSWORD: "secret",
    VALKEY_PASSWORD: redis ? new URL(redis.url).password : "none",
    ...Object.fromEntries(
      Object.entries(nats.urls).map(([user, url]) => [
        `${user.toUpperCase()}_PASSWORD`,
        new URL(url).password,
      ]),
    ),
  }

  function environmentOf(part: Part | "migrate") {
    const environment: Record<string, string> = {}
    for (const { name, value, valueFrom } of podOf(part, OVERLAYS[0]!, {}).containers[0]!.env!) {
      let told = value ?? secrets[valueFrom!.secretKeyRef!.key]!
      told = told.replace(/\$\((\w+)\)/g, (_, variable) => environment[variable]!)
      for (const [there, here] of Object.entries(addresses)) told = told.replace(there, here)
      environment[name] = told
    }
    return environment
  }

  return {
    environmentOf,
    operator: nats.urls.operator!,
    async end() {
      for (const child of children) child.kill("SIGINT")
      await Promise.all(children.map(({ exited }) => exited))
      data_dir.lock.close()
    },
  }
}

async function up(url: string, child: Child) {
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (child.exitCode !== null) throw new Error((await ended(child)).output)
    await Bun.sleep(50)
  }
}

/** How a process ended, and what it said. */
async function ended({ stdout, stderr, exited }: Child) {
  const output = await Promise.all([stdout, stderr].map(stream => new Response(stream).text()))
  return { code: await exited, output: output.join("") }
}
