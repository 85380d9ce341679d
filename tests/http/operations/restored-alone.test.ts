import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { runMarkRestored } from "../../support/commands"
import { openShop, type Shop } from "../../support/own-shop"
import { launchOwnSystem, type System } from "../../support/own-system"
import { RECEIVER } from "../../support/receiver"

const TIMEOUT_MS = 60_000
const PROGRAMS = "/api/advertiser/affiliate-programs"
const STOPPED = { status: 503, body: { error: expect.stringContaining("earlier point in time") } }

let system: System
let shop: Shop
beforeAll(async () => {
  system = await launchOwnSystem({ REPLICAS: "1" }) // another would notice up to two seconds later
  shop = await openShop(system)
  await shop.sell(1_000)
}, TIMEOUT_MS)
afterAll(() => system?.stop())

async function statusOf() {
  const answer = await fetch(`${system.url}/status`)
  const { problems = [], ...parts } = (await answer.json()) as { problems?: string[] }
  const down = Object.entries(parts).flatMap(([name, state]) => (state === "down" ? [name] : []))
  return { status: answer.status, down, problems }
}

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(50)
}

/** Sets a sequence back, as the restored database of its service has it. Returns what undoes it. */
async function setBack(sequence: string) {
  const [{ last_value }] = (await system.sql.unsafe(`select last_value from ${sequence}`)) as any
  await system.sql`select setval(${sequence}, 1, false)`
  return () => system.sql`select setval(${sequence}, ${last_value})`
}

const isUp = async () => (await statusOf()).status === 200

describe.each([
  ["commissions", "commissions.commissions_id_seq", "tracking refers to commissions up to"],
  ["commissions", "commissions.partners_id_seq", "tracking refers to partners up to"],
  ["tracking", "tracking.affiliate_sale_events_id_seq", "commissions refers to sales up to"],
  ["identity", "identity.programs_id_seq", "refers to programs up to"],
  ["identity", "identity.workspaces_id_seq", "commissions refers to workspaces up to"],
])("%s restored alone, before %s", (service, sequence, reason) => {
  let undo: () => Promise<unknown>
  beforeAll(async () => {
    undo = await setBack(sequence)
    await until(async () => !(await isUp()))
  }, TIMEOUT_MS)

  test("/status is 503, names it, and says what to do", async () => {
    const { status, down, problems } = await statusOf()
    expect({ status, down }).toEqual({ status: 503, down: [service] })
    expect(problems).toEqual([
      expect.stringContaining(`${service}: its database was restored alone`),
    ])
    expect(problems[0]).toContain(reason)
    expect(problems[0]).toContain("docs/backup.md")
  })

  test("it serves nothing, and says so", async () => {
    expect(await shop.manage("GET", "/partners")).toMatchObject(STOPPED)
    expect((await shop.sell(2_000)).status).toBeOneOf([500, 503])
  })

  test(
    "it serves again once its database fits",
    async () => {
      await undo()
      await until(isUp)
      expect((await shop.sell(3_000)).status).toBe(200)
      expect((await shop.manage("GET", "/partners")).status).toBe(200)
    },
    TIMEOUT_MS,
  )
})

test(
  "identity restored alone, before a workspace that only delivery knows",
  async () => {
    const account = { email: "receiver@example.com", password: "correct horse battery" }
    const { data } = await system.send("/api/auth/sign-up", { ...account, name: "Receiver" })
    const endpoint = { url: RECEIVER, events: ["*"] }
    await system.send("/api/advertiser/webhook-endpoints", endpoint, data.token)
    const sequence = "identity.workspaces_id_seq"
    await system.sql`select setval(${sequence}, ${data.workspace.id - 1})`
    await until(async () => !(await isUp()))
    expect((await statusOf()).problems[0]).toContain("delivery refers to workspaces up to")
    await system.sql`select setval(${sequence}, ${data.workspace.id})`
    await until(isUp)
  },
  TIMEOUT_MS,
)

test(
  "a program is compared before it gets a number, however short the time",
  async () => {
    const undo = await setBack("identity.programs_id_seq")
    const created = await system.request("POST", PROGRAMS, {
      token: shop.session,
      body: { name: "New" },
    })
    expect(created).toMatchObject(STOPPED)
    await undo()
    await until(isUp)
  },
  TIMEOUT_MS,
)

describe("the feeds of a restored database are read again", () => {
  const clicks = async () => {
    const path = `/api/tracking/performance/${shop.program_id}?period=all`
    const { metrics, meta } = await system.read(path, shop.session)
    return meta.appliedUntil ? null : metrics.totalClicks
  }
  const forgetClick = () => system.sql`
    with lost as (
      delete from tracking.affiliate_click_events
      where id = (select max(id) from tracking.affiliate_click_events)
      returning program_id, partner_id, link_id
    )
    select * from lost
  `
  const originOf = async () => {
    const [{ origin }] = (await system.sql`
      select cursor ->> 'origin' as origin
      from reporting.cursors
      where feed = 'clicks'
    `) as unknown as [{ origin: string }]
    return origin
  }

  test(
    "after npm run mark-restored",
    async () => {
      const [before, origin] = [await clicks(), await originOf()]
      await forgetClick()
      expect((await runMarkRestored(system.data_dir)).code).toBe(0)
      await until(async () => (await clicks()) === before - 1)
      expect(await originOf()).not.toBe(origin)
    },
    TIMEOUT_MS,
  )

  test(
    "when a reader has read what it has not begun",
    async () => {
      const [before, origin] = [await clicks(), await originOf()]
      await forgetClick()
      await system.sql`
      update reporting.cursors
      set cursor = jsonb_set(cursor, '{done}', '"1000000000:1000000000:"')
      where feed = 'clicks'
    `
      await until(async () => (await clicks()) === before - 1)
      expect(await originOf()).not.toBe(origin)
    },
    TIMEOUT_MS,
  )
})
