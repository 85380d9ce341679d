import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { type Launcher, launch } from "../support/launcher"
import { successorOf } from "./successor"
import { tracesOf } from "./traces"

const START_TIMEOUT_MS = 60_000
const STOP_MS_MAX = 10_000

describe("npm start", () => {
  test(
    "is ready, ends without a trace, and starts again with what it had",
    async () => {
      const first = await launch()
      expect((await fetch(`${await first.ready}/status`)).status).toBe(200)
      await query(first, "create table kept as select 42 as answer")

      const remaining = await tracesOf(first)
      const start = performance.now()
      first.kill("SIGTERM")
      expect(await first.ended).toBe(0)
      expect(performance.now() - start).toBeLessThan(STOP_MS_MAX)
      expect(await remaining()).toEqual([])

      const second = await launch({ DATA_DIR: first.data_dir })
      await second.ready
      expect(await query(second, "select answer from kept")).toEqual([{ answer: 42 }])
    },
    START_TIMEOUT_MS,
  )

  test(
    "killed with -9 it leaves no trace, and recovers",
    async () => {
      const first = await launch()
      await first.ready
      await query(first, "create table kept as select 42 as answer")

      const remaining = await tracesOf(first)
      first.kill("SIGKILL")
      expect(await remaining()).toEqual([])

      const second = await launch({ DATA_DIR: first.data_dir })
      await second.ready
      expect(await query(second, "select answer from kept")).toEqual([{ answer: 42 }])
    },
    START_TIMEOUT_MS,
  )

  test.each([
    ["with signs that mean something elsewhere", `a, "b" 'c' %2F`, true],
    ["too long for a socket", "x".repeat(100), false],
  ])(
    "works in a folder whose name is %s",
    async (_why, name, has_socket) => {
      const parent = await mkdtemp(join(tmpdir(), "tributary "))
      const launcher = await launch({ DATA_DIR: join(parent, name) })
      expect((await fetch(`${await launcher.ready}/status`)).status).toBe(200)
      const { socket_url } = await Bun.file(join(launcher.data_dir, "postgres.json")).json()
      expect(socket_url !== null).toBe(has_socket)

      launcher.kill("SIGTERM")
      await launcher.ended
      await rm(parent, { recursive: true })
    },
    START_TIMEOUT_MS,
  )

  test(
    "hears a SIGTERM through the package manager",
    async () => {
      const launcher = await launch({}, [Bun.which("npm") ?? process.execPath, "start"])
      await launcher.ready
      const remaining = await tracesOf(launcher)
      launcher.kill("SIGTERM")
      expect(await launcher.ended).toBe(0)
      expect(await remaining()).toEqual([])
    },
    START_TIMEOUT_MS,
  )

  test(
    "survives its database",
    async () => {
      const launcher = await launch()
      const url = await launcher.ready
      const database = (await launcher.processes())[0]!
      process.kill(database.pid, "SIGKILL")

      const after = await successorOf(launcher, database)
      expect(after.pid).not.toBe(database.pid)
      while (!(await fetch(`${url}/status`)).ok) await Bun.sleep(50)
    },
    START_TIMEOUT_MS,
  )
})

describe("npm start refuses in one sentence", () => {
  const squatter = Bun.serve({ port: 0, fetch: () => new Response() })
  afterAll(() => squatter.stop(true))

  test.each<[string, Record<string, string>, RegExp]>([
    ["a port that is taken", { PORT: `${squatter.port}` }, /^Port \d+ is taken.* PORT=\d+ npm/],
    [
      "a retention of no time",
      { CLICK_RETENTION_MONTHS: "0" },
      /^CLICK_RETENTION_MONTHS must be an integer from 1 to 120, not "0"/,
    ],
    [
      "a port for metrics that is taken",
      { METRICS_PORT: `${squatter.port}` },
      /^Port \d+ is taken: METRICS_PORT is the first of 1\./,
    ],
    ["a port that is none", { PORT: "web" }, /^PORT must be an integer from 0 to 65535/],
    ["an unknown choice", { PROCESSES: "two" }, /^PROCESSES must be one of one, separate/],
    ["no number", { REPLICAS: "0" }, /^REPLICAS must be an integer from 1 to/],
  ])("%s", async (_what, environment, sentence) => {
    const launcher = await launch(environment)
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toMatch(sentence)
    expect(launcher.output().trim().split("\n")).toHaveLength(1)
  })

  test(
    "a folder that another one uses",
    async () => {
      const first = await launch()
      await first.ready
      const second = await launch({ DATA_DIR: first.data_dir })
      expect(await second.ended).toBe(1)
      expect(second.output()).toStartWith("Another Tributary runs on ")
      expect((await fetch(`${await first.ready}/status`)).status).toBe(200)
    },
    START_TIMEOUT_MS,
  )
})

async function query({ data_dir }: Launcher, text: string): Promise<unknown[]> {
  const { url } = await Bun.file(join(data_dir, "postgres.json")).json()
  const sql = postgres(url, { max: 1 })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}
