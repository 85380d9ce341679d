import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "../support/launcher"
import { query } from "../support/query-embedded"
import { trackProcesses } from "./remaining-processes"
import { waitForReplacement } from "./replacement"

const START_TIMEOUT_MS = 60_000
const STOP_MS_MAX = 10_000

describe("npm start", () => {
  test(
    "starts, leaves no process behind, and starts again with its data",
    async () => {
      const first = await launch()
      expect((await fetch(`${await first.ready}/status`)).status).toBe(200)
      await query(first, "create table kept as select 42 as answer")

      const remaining = await trackProcesses(first)
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
    "leaves no process behind after SIGKILL, and recovers",
    async () => {
      const first = await launch()
      await first.ready
      await query(first, "create table kept as select 42 as answer")

      const remaining = await trackProcesses(first)
      first.kill("SIGKILL")
      expect(await remaining()).toEqual([])

      const second = await launch({ DATA_DIR: first.data_dir })
      await second.ready
      expect(await query(second, "select answer from kept")).toEqual([{ answer: 42 }])
    },
    START_TIMEOUT_MS,
  )

  test.each([
    ["has special characters", `a, "b" 'c' %2F`, true],
    ["is too long for a socket", "x".repeat(100), false],
  ])(
    "works in a folder whose name %s",
    async (_why, name, hasSocket) => {
      const parent = await mkdtemp(join(tmpdir(), "tributary "))
      const launcher = await launch({ DATA_DIR: join(parent, name) })
      expect((await fetch(`${await launcher.ready}/status`)).status).toBe(200)
      const { socket_url } = await Bun.file(join(launcher.data_dir, "postgres.json")).json()
      expect(socket_url !== null).toBe(hasSocket)

      launcher.kill("SIGTERM")
      await launcher.ended
      await rm(parent, { recursive: true })
    },
    START_TIMEOUT_MS,
  )

  test(
    "receives SIGTERM through the package manager",
    async () => {
      const launcher = await launch({}, [Bun.which("npm") ?? process.execPath, "start"])
      await launcher.ready
      const remaining = await trackProcesses(launcher)
      launcher.kill("SIGTERM")
      expect(await launcher.ended).toBe(0)
      expect(await remaining()).toEqual([])
    },
    START_TIMEOUT_MS,
  )

  test(
    "survives the death of its database",
    async () => {
      const launcher = await launch()
      const url = await launcher.ready
      const database = (await launcher.processes())[0]!
      process.kill(database.pid, "SIGKILL")

      const after = await waitForReplacement(launcher, database)
      expect(after.pid).not.toBe(database.pid)
      while (!(await fetch(`${url}/status`)).ok) await Bun.sleep(50)
    },
    START_TIMEOUT_MS,
  )
})

describe("npm start refuses, with one sentence,", () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  afterAll(() => server.stop(true))

  test.each<[string, Record<string, string>, RegExp]>([
    ["a port in use", { PORT: `${server.port}` }, /^Port \d+ is already in use.* PORT=\d+ npm/],
    [
      "a retention of zero months",
      { CLICK_RETENTION_MONTHS: "0" },
      /^CLICK_RETENTION_MONTHS must be an integer from 1 to 120, not "0"/,
    ],
    [
      "a metrics port in use",
      { METRICS_PORT: `${server.port}` },
      /^Port \d+ is already in use\. METRICS_PORT is the first of 1\./,
    ],
    ["a port that is not a number", { PORT: "web" }, /^PORT must be an integer from 0 to 65535/],
    ["an unknown value", { PROCESSES: "two" }, /^PROCESSES must be one of one, separate/],
    ["zero replicas", { REPLICAS: "0" }, /^REPLICAS must be an integer from 1 to/],
  ])("%s", async (_what, environment, sentence) => {
    const launcher = await launch(environment)
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toMatch(sentence)
    expect(launcher.output().trim().split("\n")).toHaveLength(1)
  })

  test(
    "a folder that another Tributary uses",
    async () => {
      const first = await launch()
      await first.ready
      const second = await launch({ DATA_DIR: first.data_dir })
      expect(await second.ended).toBe(1)
      expect(second.output()).toStartWith("Another Tributary is running on ")
      expect((await fetch(`${await first.ready}/status`)).status).toBe(200)
    },
    START_TIMEOUT_MS,
  )
})
