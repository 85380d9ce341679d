import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Subprocess } from "bun"
import postgres from "postgres"
import { claimDataDir, randomText } from "../../deploy/data-dir"
import { podOf } from "../../deploy/kubernetes/pods"
import { OVERLAYS } from "../../deploy/kubernetes/system"
import { PART_NAMES, type Part, SERVICE_NAMES } from "../../deploy/part"
import { freePort } from "../../deploy/port"
import { embeddedPostgres } from "../../deploy/postgres"
import { natsServer, redisServer } from "../../deploy/servers"
import packages from "../../package.json"
import { succeedingClient } from "../support/http"
import { bases, buildImage, entrypoint, filesIn, user } from "./image"

const TIMEOUT_MS = 120_000

type Run = Awaited<ReturnType<typeof buildImage>>
type Child = ReturnType<Run>

describe("the Dockerfile", () => {
  test("uses the Bun version of the tests, and has no shell", () => {
    const { bun } = packages.dependencies
    expect(bases).toEqual([`oven/bun:${bun}-slim`, `oven/bun:${bun}-distroless`])
    expect(entrypoint[0]).toBe("/usr/local/bin/bun")
  })

  test("sets a numeric user that is not root", () => {
    expect(user).toMatch(/^[1-9]\d+:[1-9]\d+$/)
  })
})

describe.skipIf(!Bun.which("nats-server"))("the content of the image", () => {
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

  test("refuses an unknown SERVICE with one sentence", async () => {
    expect(await resultOf(start({ SERVICE: "trackign" }))).toEqual({
      code: 1,
      output:
        "SERVICE must be one of identity, commissions, tracking, reporting, delivery, gateway, migrate.\n",
    })
  })

  test("migrates, and succeeds again when there is nothing to do", async () => {
    const output = SERVICE_NAMES.map(name => `The schema ${name} is up to date.\n`).join("")
    for (const _time of ["first", "second"]) {
      const migrating = start(servers.environmentOf("migrate"))
      expect(await resultOf(migrating)).toEqual({ code: 0, output })
    }
  })

  test(
    "runs each part as a user who can write nothing",
    async () => {
      for (const part of PART_NAMES) {
        ports[part] = { PORT: `${await freePort()}`, METRICS_PORT: `${await freePort()}` }
        const child = start({ ...servers.environmentOf(part), ...ports[part] })
        await waitUntilUp(`${addressOf(part)}/readyz`, child)
      }
      await waitUntilUp(`${gateway()}/status`, children.at(-1)!)
    },
    TIMEOUT_MS,
  )

  test("tracks a click, a lead, a sale and a refund", async () => {
    const { token } = await send("/api/auth/sign-up", {
      email: "owner@example.com",
      password: "correct horse battery",
      name: "Owner",
    })
    const programs = "/api/advertiser/affiliate-programs"
    const { id, api_token } = await send(programs, { name: "Shop" }, token)
    const partner = { email: "partner@example.com", name: "Partner" }
    const { links } = await send(`${programs}/${id}/partners`, partner, token)

    const affiliate_url = `https://shop.example/?aff=${links[0].code}`
    const { click_id } = await send("/api/v1/track/click", { affiliate_url })
    const customer_key = "customer"
    await send("/api/v1/track/lead", { click_id, customer_key }, api_token)
    const sale = { customer_key, transaction_id: "order", amount_cents: 5_000 }
    const saleReply = await send("/api/v1/track/sale", sale, api_token)
    expect(saleReply).toMatchObject({ success: true, commission_id: expect.any(Number) })
    const refundReply = await send("/api/v1/track/refund", { transaction_id: "order" }, api_token)
    expect(refundReply).toMatchObject({ status: "reversed", deductionAmount: 15 })

    const events = await send(`/api/tracking/events/${id}`, undefined, token)
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      "conversion",
      "lead",
      "click",
    ])
  })

  test("serves its documentation, the browser script and metrics", async () => {
    for (const path of ["/docs", "/openapi.json", "/service-tracker.js", "/metrics"]) {
      const address = path === "/metrics" ? addressOf("gateway") : gateway()
      expect((await fetch(`${address}${path}`)).status, path).toBe(200)
    }
  })

  test("has the commands for operators", async () => {
    const audit = await resultOf(run({ NATS_URL: servers.operator }, ["deploy/audit.ts"]))
    expect(audit.output).toContain("Each sale and its commission name each other")
    expect(audit.code).toBe(0)
  })

  test("stops in order, and has written nothing", async () => {
    const running = children.filter(({ exitCode }) => exitCode === null)
    expect(running.length).toBe(PART_NAMES.length)
    for (const child of running) child.kill("SIGTERM")
    const results = await Promise.all(running.map(resultOf))
    expect(results).toEqual(PART_NAMES.map(() => ({ code: 0, output: "" })))
    expect(filesIn(join(folder, "app"))).toEqual(before)
  }, 20_000)

  const addressOf = (part: string) => `http://127.0.0.1:${ports[part]!.METRICS_PORT}`
  const gateway = () => `http://127.0.0.1:${ports.gateway!.PORT}`

  /** Sends a POST, or a GET without a body. Returns `data` of the reply, or the whole reply. */
  const send = (path: string, body?: object, token?: string) =>
    succeedingClient(gateway())(body ? "POST" : "GET", path, { body, token })
})

/**
 * Starts the servers as `npm start` does. `environmentOf` returns the environment of a pod in the
 * manifests, with their addresses. Its PostgreSQL user may create schemas and roles, but is not a
 * superuser.
 */
async function startServers(path: string) {
  const dataDir = claimDataDir(path)
  const database = await embeddedPostgres(dataDir)
  const children: Subprocess[] = [await database.spawn()]
  await database.ready()
  const sql = postgres(database.url(), { max: 1 })
  await sql`create role tributary login createrole password 'secret'`
  await sql`alter database tributary owner to tributary`
  await sql.end()

  const nats = await natsServer(dataDir)
  const redis = await redisServer(dataDir)
  children.push(await nats.spawn())
  if (redis) children.push(await redis.spawn())

  const addresses = {
    "postgres:5432": new URL(database.url()).host,
    "nats:4222": new URL(nats.urls.operator!).host,
    "valkey:6379": new URL(redis?.url ?? "redis://127.0.0.1:1").host,
    [OVERLAYS[0]!.ingress]: "localhost",
  }
  const secrets: Record<string, string> = {
    SECRET_KEY: "the key of a test, which is long enough",
    GATEWAY_SECRET_KEY: "another key, which is long enough, too",
    POSTGRES_PASSWORD: "secret",
    ...Object.fromEntries(
      SERVICE_NAMES.map(name => [`${name.toUpperCase()}_DATABASE_PASSWORD`, randomText()]),
    ),
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
      const secret = valueFrom?.secretKeyRef
      if (secret?.optional && !(secret.key in secrets)) continue
      let text = value ?? secrets[secret!.key]!
      text = text.replace(/\$\((\w+)\)/g, (_, variable) => environment[variable]!)
      for (const [from, to] of Object.entries(addresses)) text = text.replace(from, to)
      environment[name] = text
    }
    return environment
  }

  return {
    environmentOf,
    operator: nats.urls.operator!,
    async end() {
      for (const child of children) child.kill("SIGINT")
      await Promise.all(children.map(({ exited }) => exited))
      dataDir.lock.close()
    },
  }
}

async function waitUntilUp(url: string, child: Child) {
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (child.exitCode !== null) throw new Error((await resultOf(child)).output)
    await Bun.sleep(50)
  }
}

/** Waits for the end of a process. Returns its exit code and output. */
async function resultOf({ stdout, stderr, exited }: Child) {
  const output = await Promise.all([stdout, stderr].map(stream => new Response(stream).text()))
  return { code: await exited, output: output.join("") }
}
