import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PART_NAMES } from "../../deploy/part"
import { freePort } from "../../deploy/port"
import { openRedis } from "../../gateway/http/redis"
import { waitUntil } from "../operations/process"
import type { Stage } from "../operations/stage"
import { launch } from "../support/launcher"
import { stopTributary } from "../support/tributary-process"
import { newAuthority, type Pair } from "./certificates"
import { connectionsOf, natsWith, plainPostgres, redisWith, tlsPostgres } from "./tls-servers"

const TIMEOUT_MS = 60_000
const REFUSED_MS = 1_000 // four more tries
const NEEDED = ["openssl", "nats-server", "redis-server"]
const root = join(import.meta.dir, "../..")

describe.skipIf(NEEDED.some(name => !Bun.which(name)))("with certificates of one's own,", () => {
  let stage: Stage
  let ends: (() => unknown)[]
  let client: Pair
  let ca: string
  let other: { ca: string; client: Pair }
  let tls: { postgres: string; nats: Nats; redis: Redis }
  let plain: { postgres: string; nats: Nats; redis: Redis }
  type Nats = Awaited<ReturnType<typeof natsWith>>
  type Redis = Awaited<ReturnType<typeof redisWith>>

  beforeAll(async () => {
    ends = []
    const folder = await mkdtemp(join(tmpdir(), "tributary-tls-"))
    const onEnd = (end: () => unknown) => void ends.push(end)
    stage = { folder, isShort: true, log() {}, verify() {}, onEnd }

    const authority = await newAuthority(folder, "authority")
    const server = await authority.sign("server", ["DNS:localhost"])
    ca = authority.ca
    client = await authority.sign("tributary")
    const stranger = await newAuthority(folder, "stranger")
    other = { ca: stranger.ca, client: await stranger.sign("tributary") }

    const files = { server, ca }
    const [secured, open] = [await tlsPostgres(stage, files), await plainPostgres(stage)]
    const named = (url: string) => url.replace("127.0.0.1", "localhost")
    tls = {
      postgres: named(secured.url),
      nats: await natsWith(stage, "nats", files),
      redis: await redisWith(stage, "redis", files),
    }
    plain = {
      postgres: named(open.url),
      nats: await natsWith(stage, "plain-nats"),
      redis: await redisWith(stage, "plain-redis"),
    }
  }, TIMEOUT_MS)

  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    await rm(stage.folder, { recursive: true, force: true })
  })

  const query = (files: { ca?: string; client?: Pair }, mode?: string) =>
    `?${new URLSearchParams({
      ...(mode && { sslmode: mode }),
      ...(files.ca && { sslrootcert: files.ca }),
      ...(files.client && { sslcert: files.client.cert, sslkey: files.client.key }),
    })}`
  const mutual = () => ({ ca, client })

  test(
    "mutual TLS carries all of Tributary: PostgreSQL, NATS and Redis",
    async () => {
      const launcher = await launch({
        PROCESSES: "separate",
        RATE_LIMITS: "on",
        DATABASE_URL: tls.postgres + query(mutual(), "verify-full"),
        NATS_URL: tls.nats.url("tls") + query(mutual()),
        REDIS_URL: tls.redis.url("rediss") + query(mutual()),
      })
      const url = await launcher.ready
      expect((await fetch(`${url}/status`)).status).toBe(200)
      const clients = await tls.nats.clients()
      expect(clients.length).toBe(PART_NAMES.length)
      expect(clients.filter(({ tls_version }) => !tls_version)).toEqual([])
      const { connections, isEncrypted } = await connectionsOf(tls.postgres)
      expect(connections).toBeGreaterThan(30)
      expect(isEncrypted).toBe(true)
      expect(launcher.output()).not.toContain("Redis is down")
      await stopTributary(launcher)
    },
    TIMEOUT_MS,
  )

  describe("PostgreSQL", () => {
    test.each<[what: string, isAccepted: boolean, address: () => string]>([
      ["verify-full", true, () => tls.postgres + query(mutual(), "verify-full")],
      ["verify-ca, under another name", true, () => renamed() + query(mutual(), "verify-ca")],
      ["verify-full, under another name", false, () => renamed() + query(mutual(), "verify-full")],
      ["require, of any authority", true, () => tls.postgres + query({ client }, "require")],
      [
        "require, of another authority",
        false,
        () => tls.postgres + query({ ca: other.ca, client }, "require"),
      ],
      [
        "verify-ca, of another authority",
        false,
        () => tls.postgres + query({ ca: other.ca, client }, "verify-ca"),
      ],
      ["without a client's certificate", false, () => tls.postgres + query({ ca }, "verify-full")],
      [
        "with a stranger's certificate",
        false,
        () => tls.postgres + query({ ca, client: other.client }, "verify-full"),
      ],
      ["disable", false, () => tls.postgres + query({}, "disable")],
      ["require, where no TLS is offered", false, () => plain.postgres + query({}, "require")],
      [
        "verify-ca, where no TLS is offered",
        false,
        () => plain.postgres + query({ ca }, "verify-ca"),
      ],
      [
        "verify-full, where no TLS is offered",
        false,
        () => plain.postgres + query({ ca }, "verify-full"),
      ],
    ])(
      "%s: accepted is %p",
      async (_what, isAccepted, address) => {
        const { code, output } = await migrate(address())
        expect({ code, output }).toEqual(
          isAccepted
            ? { code: 0, output: expect.stringContaining("The schema tracking is up to date.") }
            : {
                code: 1,
                output: expect.stringMatching(/^The database of identity, \S+, is unusable: /),
              },
        )
      },
      TIMEOUT_MS,
    )

    test.each([
      [
        "an unknown sslmode",
        "?sslmode=maybe",
        /^sslmode of a database URL must be one of disable, /,
      ],
      [
        "a missing file",
        "?sslmode=require&sslrootcert=/no",
        /^The file that sslrootcert names in a URL cannot be read: \/no\n$/,
      ],
      [
        "a certificate without a key",
        "?sslmode=require&sslcert=/no",
        /^A URL with sslcert or sslkey needs both\.\n$/,
      ],
    ])("refuses %s with one sentence", async (_what, parameters, sentence) => {
      const { code, output } = await migrate(tls.postgres + parameters)
      expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(sentence) })
    })

    const renamed = () => tls.postgres.replace("localhost", "127.0.0.1")
  })

  describe("NATS", () => {
    test.each<[what: string, isAccepted: boolean, url: () => string]>([
      ["tls://", true, () => tls.nats.url("tls") + query(mutual())],
      [
        "tls://, under another name",
        false,
        () => `${tls.nats.url("tls").replace("localhost", "127.0.0.1")}${query(mutual())}`,
      ],
      [
        "tls://, of another authority",
        false,
        () => tls.nats.url("tls") + query({ ca: other.ca, client }),
      ],
      ["tls:// without a client's certificate", false, () => tls.nats.url("tls") + query({ ca })],
      ["tls://, where no TLS is offered", false, () => plain.nats.url("tls") + query({ ca })],
      [
        "tls:// in a list",
        false,
        () => `${plain.nats.url("nats")},tls://localhost:${plain.nats.port}`,
      ],
    ])(
      "%s: accepted is %p",
      async (_what, isAccepted, url) => {
        expect(await connectsBy(url())).toEqual({
          isConnected: isAccepted,
          isExplained: !isAccepted,
        })
        expect(await plain.nats.clients()).toEqual([])
      },
      TIMEOUT_MS,
    )
  })

  describe("Redis", () => {
    test.each<[what: string, isAccepted: boolean, url: () => string]>([
      ["rediss://", true, () => tls.redis.url("rediss") + query(mutual())],
      [
        "rediss://, under another name",
        false,
        () => `${tls.redis.url("rediss").replace("localhost", "127.0.0.1")}${query(mutual())}`,
      ],
      [
        "rediss://, of another authority",
        false,
        () => tls.redis.url("rediss") + query({ ca: other.ca, client }),
      ],
      [
        "rediss:// without a client's certificate",
        false,
        () => tls.redis.url("rediss") + query({ ca }),
      ],
      [
        "rediss://, where no TLS is offered",
        false,
        () => plain.redis.url("rediss") + query({ ca }),
      ],
    ])("%s: accepted is %p", async (_what, isAccepted, url) => {
      const redis = openRedis(url())
      const outcome = Promise.withResolvers<boolean>()
      redis.on("ready", () => outcome.resolve(true))
      redis.on("close", () => outcome.resolve(false))
      expect(await outcome.promise).toBe(isAccepted)
      redis.disconnect()
    })
  })

  /** Runs the migrations. Returns the exit code and what was printed. */
  async function migrate(address: string) {
    const child = Bun.spawn([process.execPath, "deploy/service.ts"], {
      cwd: root,
      env: { ...process.env, SERVICE: "migrate", DATABASE_URL: address, LOG_LEVEL: "silent" },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const output = await Promise.all([child.stdout, child.stderr].map(s => new Response(s).text()))
    return { code: await child.exited, output: output.join("") }
  }

  /** Runs a gateway until it is connected to NATS, or has tried for a while. */
  async function connectsBy(NATS_URL: string) {
    const PORT = `${await freePort()}`
    const child = Bun.spawn([process.execPath, "deploy/part.ts", "gateway"], {
      cwd: root,
      env: { ...process.env, REDIS_URL: "", LOG_LEVEL: "warn", PORT, NATS_URL },
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    const reading = (async () => {
      for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk)
    })()
    const isExplained = () => output.includes("NATS is not reachable by TLS yet.")
    const isConnected = async () => (await tls.nats.clients()).length > 0
    await waitUntil("it connects or explains", async () => isExplained() || (await isConnected()))
    if (isExplained()) await Bun.sleep(REFUSED_MS) // meanwhile it tries again and again
    const result = { isConnected: await isConnected(), isExplained: isExplained() }
    child.kill("SIGKILL")
    await reading
    await waitUntil("NATS is left", async () => !(await isConnected()))
    return result
  }
})
