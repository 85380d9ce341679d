import { beforeAll, describe, expect, test } from "bun:test"
import { type Launcher, launch } from "../support/launcher"
import { isAlive, trackProcesses } from "./remaining-processes"
import { waitForReplacement } from "./replacement"

const TIMEOUT_MS = 60_000
const STOP_MS_MAX = 10_000
const ANSWER_MS_MAX = 2_500 // two calls; a frozen process is killed after three seconds
const PARTS = ["commissions", "delivery", "gateway", "identity", "reporting", "tracking"]
const separate = { PROCESSES: "separate", REPLICAS: "2" }

describe.skipIf(!Bun.which("nats-server"))("PROCESSES=separate", () => {
  let launcher: Launcher
  let url: string
  beforeAll(async () => {
    launcher = await launch(separate)
    url = await launcher.ready
  }, TIMEOUT_MS)

  test("runs two replicas of each part, and the servers", async () => {
    const names = (await launcher.processes()).map(({ name }) => name)
    const parts = PARTS.flatMap(part => [part, part])
    const servers = ["nats", "postgres", ...(Bun.which("redis-server") ? ["redis"] : [])]
    expect(names.toSorted()).toEqual([...parts, ...servers].toSorted())
  })

  test.each([
    ["SIGKILL", "gateway"],
    ["SIGKILL", "tracking"],
    ["SIGKILL", "nats"],
    ["SIGKILL", "postgres"],
    ["SIGSTOP", "commissions"], // frozen
  ] as const)(
    "%s to %s: it is replaced",
    async (signal, name) => {
      const before = (await launcher.processes()).find(process => process.name === name)!
      process.kill(before.pid, signal)

      const after = await waitForReplacement(launcher, before)
      expect(isAlive(before.pid)).toBe(false)
      expect(isAlive(after.pid)).toBe(true)
      while (!(await isUp())) await Bun.sleep(50)
    },
    TIMEOUT_MS,
  )

  test(
    "while delivery is frozen, the other services answer as before",
    async () => {
      const post = (path: string, body: object, token = "") =>
        fetch(`${url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
        })
      const frozen = (await launcher.processes()).filter(({ name }) => name === "delivery")
      for (const { pid } of frozen) process.kill(pid, "SIGSTOP")
      const start = performance.now()
      const account = { email: "ada@example.com", password: "correct horse battery", name: "Ada" }
      const signedUp = await post("/api/auth/sign-up", account)
      const { data } = (await signedUp.json()) as { data: { token: string } }
      const programs = "/api/advertiser/affiliate-programs"
      const created = await post(programs, { name: "Shop" }, data.token)
      expect([signedUp.status, created.status]).toEqual([201, 201])
      expect(performance.now() - start).toBeLessThan(ANSWER_MS_MAX)

      for (const one of frozen) await waitForReplacement(launcher, one)
      while (!(await isUp())) await Bun.sleep(50)
    },
    TIMEOUT_MS,
  )

  test(
    "stops in order and in time, and leaves no process behind",
    async () => {
      const remaining = await trackProcesses(launcher)
      const start = performance.now()
      launcher.kill("SIGTERM")
      expect(await launcher.ended).toBe(0)
      expect(performance.now() - start).toBeLessThan(STOP_MS_MAX)
      expect(await remaining()).toEqual([])
      expect(await launcher.processes()).toEqual([])
    },
    TIMEOUT_MS,
  )

  test(
    "leaves no process behind after SIGKILL, and recovers",
    async () => {
      const first = await launch(separate)
      await first.ready
      const remaining = await trackProcesses(first)
      first.kill("SIGKILL")
      expect(await remaining()).toEqual([])

      const second = await launch({ ...separate, DATA_DIR: first.data_dir })
      expect((await fetch(`${await second.ready}/status`)).status).toBe(200)
    },
    TIMEOUT_MS,
  )

  const isUp = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
})

test("PROCESSES=separate without nats-server says how to install it", async () => {
  const launcher = await launch({ PROCESSES: "separate", PATH: "" })
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toStartWith("PROCESSES=separate needs NATS: install nats-server")
})
