import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { visitorsOf } from "../../deploy/demo/visitors"
import { seededRandom } from "../../lib/random"
import { runAudit } from "../support/commands"
import { succeedingClient } from "../support/http"
import { type Launcher, launch } from "../support/launcher"

const TIMEOUT_MS = 120_000
const POLL_MS = 20
const PROGRAMS = "/api/advertiser/affiliate-programs"
const STATUSES = ["approved", "paid", "pending", "refunded", "rejected", "reversed"]

const REPLIES = [
  { success: true },
  { success: true, commission_id: expect.any(Number) },
  { success: true, status: "reversed", deductionAmount: 6 },
]

test(
  "the commands of the demo work, twice, and after a restart",
  async () => {
    const first = await launch({ DEMO: "on" })
    expect(await paste(first)).toMatchObject(REPLIES)
    await Bun.sleep(1_000) // order ids contain the time in seconds
    expect(await paste(first)).toMatchObject(REPLIES)
    first.kill("SIGTERM")
    await first.ended

    const second = await launch({ DEMO: "on", DATA_DIR: first.data_dir })
    expect(await paste(second)).toMatchObject(REPLIES)
  },
  TIMEOUT_MS,
)

test(
  "the demo program has 90 days of history, whose books are clean and whose reports agree",
  async () => {
    const system = await launch({ DEMO: "on" })
    const { program_id, partner, token, request } = await signedIn(system)
    const get = (path: string) => request("GET", path, { token })

    expect(await get(PROGRAMS)).toMatchObject([{ id: program_id, is_demo: true }])
    const written = /history: (\d+) clicks, (\d+) leads, (\d+) sales/.exec(system.output())!
    const [clicks, leads, sales] = written.slice(1).map(Number) as [number, number, number]
    expect(clicks).toBeWithin(4_000, 7_000)
    expect(sales).toBeWithin(150, 300)

    const reported = await get(`${PROGRAMS}/${program_id}/aggregates?period=all`)
    expect(reported).toMatchObject({ totalClicks: clicks, totalLeads: leads, totalSales: sales })
    for (const by of ["partner", "link", "country", "device", "referrer", "sub_id"]) {
      const query = `by=${by}&period=all&pageSize=100`
      const rows = await get(`/api/tracking/breakdown/${program_id}?${query}`)
      expect(rows.length, by).toBeGreaterThan(2)
      expect([sum(rows, "clicks"), sum(rows, "leads")], by).toEqual([clicks, leads])
    }
    for (const status of STATUSES) {
      const path = `${PROGRAMS}/${program_id}/commissions?status=${status}`
      expect((await get(path)).length, status).toBeGreaterThan(0)
    }
    const { token: ofPartner } = await request("POST", "/api/auth/sign-in", { body: partner })
    const toPartner = await request("GET", "/api/partner/notifications", { token: ofPartner })
    expect(toPartner.length).toBeGreaterThan(0)

    const { output, code } = await runAudit(system.data_dir)
    expect(code, output).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  "a killed start leaves no part of the history, and the next one adds all of it, once",
  async () => {
    const first = await launch({ DEMO: "on" })
    while (!first.output().includes("Adding 90 days")) await Bun.sleep(POLL_MS)
    first.kill("SIGKILL")
    await first.ended

    const second = await launch({ DEMO: "on", DATA_DIR: first.data_dir })
    const { program_id, token, request } = await signedIn(second)
    const path = `${PROGRAMS}/${program_id}/aggregates?period=all`
    const { totalClicks } = await request("GET", path, { token })
    expect(totalClicks).toBeWithin(4_000, 7_000)
    const { output, code } = await runAudit(second.data_dir)
    expect(code, output).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  "archiving the demo program removes it from lists, and later starts print nothing of it",
  async () => {
    const first = await launch({ DEMO: "on" })
    const { program_id, token, request } = await signedIn(first)
    await request("DELETE", `${PROGRAMS}/${program_id}`, { token })

    expect(await request("GET", PROGRAMS, { token })).toEqual([])
    const summary = await request("GET", "/api/advertiser/dashboard/summary", { token })
    expect(summary.programs).toBe(0)
    const archived = await request("GET", `${PROGRAMS}/${program_id}`, { token })
    expect(archived).toMatchObject({ status: "archived", is_demo: true })
    first.kill("SIGTERM")
    await first.ended

    const second = await launch({ DEMO: "on", DATA_DIR: first.data_dir })
    await second.ready
    await Bun.sleep(1_000)
    expect(second.output()).not.toContain("token=")
  },
  TIMEOUT_MS,
)

test("the same seed and time always give the same visitors, none of them in the future", () => {
  const now = Date.parse("2026-11-24T09:30:00Z")
  const visitors = visitorsOf(seededRandom("same"), now)
  expect(visitorsOf(seededRandom("same"), now)).toEqual(visitors)
  const times = visitors.flatMap(({ visits, signed_up_at, purchases }) => [
    ...[...visits, ...purchases].map(({ at }) => at),
    ...(signed_up_at ? [signed_up_at] : []),
  ])
  expect(Math.max(...times)).toBeLessThan(now)
})

/** Waits until the demo is complete, and signs in as the advertiser. */
async function signedIn({ ready, data_dir }: Launcher) {
  const request = succeedingClient(await ready)
  const read = () => JSON.parse(readFileSync(join(data_dir, "demo.json"), "utf8"))
  while (!read().is_filled) await Bun.sleep(POLL_MS)
  const { email, password, program_id, partner } = read()
  const body = { email, password }
  const { token } = await request("POST", "/api/auth/sign-in", { body })
  return { program_id, partner, token: token as string, request }
}

const sum = (rows: Record<string, number>[], name: string) =>
  rows.reduce((total, row) => total + row[name]!, 0)

/** Runs the printed commands in a POSIX shell. Returns the replies of the last three. */
async function paste({ ready, output }: Launcher) {
  await ready
  const commands = /^ {2}token=.*^ {2}post refund [^\n]+$/ms
  while (!commands.test(output())) await Bun.sleep(20)

  const [text] = commands.exec(output())!
  const { stdout } = Bun.spawnSync(["sh", "-c", text])
  return stdout
    .toString()
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
}
