import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readlinkSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { launch } from "../support/launcher"
import { query } from "../support/query-embedded"

const START_TIMEOUT_MS = 60_000
const IGNORES_SIGNALS_MS = 10_000 // before it is killed

describe("npm start with a postmaster.pid", () => {
  const foreign = Bun.spawn(["sleep", "600"])
  let data_dir: string
  const file = () => join(data_dir, "postgres/postmaster.pid")
  beforeAll(async () => {
    const first = await launch()
    data_dir = first.data_dir
    await first.ready
    await query(first, "create table kept as select 42 as answer")
    first.kill("SIGTERM")
    await first.ended
  }, START_TIMEOUT_MS)
  afterAll(() => foreign.kill())

  test.each<[string, () => string | Uint8Array]>([
    ["is empty", () => ""],
    ["is text", () => "garbage\n"],
    ["is binary", () => new Uint8Array([0, 255, 254, 10, 0])],
    ["names no process", () => "0\n"],
    ["names a process that cannot exist", () => `${2 ** 32 + 1}\n`],
    ["names another program", () => `${foreign.pid}\n/elsewhere\n1\n5432\n\nlocalhost\n 1 2\n`],
  ])(
    "that %s starts with its data, and leaves the program alone",
    async (_what, content) => {
      rmSync(file(), { force: true })
      writeFileSync(file(), content())
      const launcher = await launch({ DATA_DIR: data_dir })
      await launcher.ready
      expect(await query(launcher, "select answer from kept")).toEqual([{ answer: 42 }])
      expect(foreign.killed).toBe(false)
      launcher.kill("SIGTERM")
      expect(await launcher.ended).toBe(0)
    },
    START_TIMEOUT_MS,
  )

  test(
    "that was damaged under a server that was left behind stops that server first",
    async () => {
      const first = await launch({ DATA_DIR: data_dir })
      await first.ready
      const leftover = (await first.processes()).find(({ name }) => name === "postgres")!
      process.kill(leftover.pid, "SIGSTOP") // ignores the death of its launcher
      first.kill("SIGKILL")
      await first.ended
      writeFileSync(file(), "garbage\n")

      const second = await launch({ DATA_DIR: data_dir })
      await second.ready
      expect(isRunning(leftover.pid)).toBe(false)
      expect(await query(second, "select answer from kept")).toEqual([{ answer: 42 }])
    },
    START_TIMEOUT_MS + IGNORES_SIGNALS_MS,
  )
})

/** Whether a process runs. One that has ended may wait for its parent, and has no folder then. */
function isRunning(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== ""
  } catch {
    return false
  }
}
