import { beforeAll, describe, expect, test } from "bun:test"
import { runAudit, runRebuildReports } from "../../support/commands"
import { generateTraffic, launchOwnSystem, type System } from "../../support/own-system"

const TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 100
const RANGES = ["period=all", "dateFrom=2024-11-01&dateTo=2026-12-31"]
const DIMENSIONS = ["partner", "link", "country", "device", "browser", "referrer", "sub_id"]
const REPORTS = RANGES.flatMap(range => [
  `performance/:id?${range}`,
  ...DIMENSIONS.map(by => `breakdown/:id?by=${by}&pageSize=100&${range}`),
])

/** One world, started anew with other settings: old clicks are looked for at each start. */
let world: System
const programs: Awaited<ReturnType<typeof generateTraffic>>[] = []
let expected: string[]

beforeAll(async () => {
  world = await launchOwnSystem()
  for (let i = 0; i < 2; i++) programs.push(await generateTraffic(world))
  await makeOld(world.sql)
  await runRebuildReports(world.data_dir)
  expected = await reports()
}, TIMEOUT_MS)

describe("CLICK_RETENTION_MONTHS", () => {
  test(
    "drops whole months of clicks, and nothing that is counted changes",
    async () => {
      const [leads, sales] = [await totalOf("lead"), await totalOf("conversion")]
      const counters = await countersOf(world)
      await restart({ CLICK_RETENTION_MONTHS: "14" })
      await dropped(14)

      expect(await reports()).toEqual(expected)
      expect(await countersOf(world)).toEqual(counters)
      expect([await totalOf("lead"), await totalOf("conversion")]).toEqual([leads, sales])
      await expectNothingBroken()
    },
    TIMEOUT_MS,
  )

  test(
    "makes lists and their totals begin where clicks are kept",
    async () => {
      for (const { program_id, session } of programs) {
        const [{ kept }] = (await world.sql`
          select count(*)::int as kept
          from tracking.affiliate_click_events
          where program_id = ${program_id}
        `) as unknown as [{ kept: number }]
        expect(kept).toBeGreaterThan(0)
        for (const eventType of ["", "click"]) {
          const query = `/api/tracking/events/${program_id}?eventType=${eventType}&pageSize=7`
          const events: any[] = []
          for (let page = 1; ; page++) {
            const { data, meta } = await world.read(`${query}&page=${page}`, session)
            events.push(...data)
            if (page < meta.pagination.pageCount) continue
            expect(events).toHaveLength(meta.pagination.total)
            break
          }
          expect(events.filter(event => event.event_type === "click")).toHaveLength(kept)
          expect(new Set(events.map(({ id, event_type }) => `${event_type} ${id}`)).size).toBe(
            events.length,
          )
        }
      }
    },
    TIMEOUT_MS,
  )

  test(
    "goes on while reporting is far behind, and a rebuild has the same sums",
    async () => {
      await world.sql.begin(async sql => {
        await sql`select pg_advisory_xact_lock(hashtext('reporting.take'))` // no batch is under way
        await sql`update reporting.cursors set cursor = null, applied_until = null`
        await sql`
          truncate reporting.daily, reporting.hourly, reporting.daily_money,
            reporting.daily_breakdown, reporting.events,
            reporting.partners, reporting.commissions, reporting.conversions,
            reporting.dropped_clicks, reporting.erased_customers
        `
      })
      await restart({ CLICK_RETENTION_MONTHS: "6" })
      await dropped(6)
      expect(await reports()).toEqual(expected)

      expect((await runRebuildReports(world.data_dir)).code).toBe(0)
      expect(await reports()).toEqual(expected)
      await expectNothingBroken()
    },
    TIMEOUT_MS,
  )

  test(
    "gives the room back, in reporting too, and leaves leads and sales there",
    async () => {
      await restart({ CLICK_RETENTION_MONTHS: "3" })
      await dropped(3)
      expect(await reports()).toEqual(expected)
      await restart({ CLICK_RETENTION_MONTHS: "3" })
      await until(async () => {
        const old = await world.sql`
          select from reporting.events
          where event_type = 'click' and timestamp < ${boundary(3)}
          limit 1
        `
        return old.length === 0
      })
      const months = await world.sql`
        select from pg_class
        where relname like 'affiliate\_click\_events\_20%' and relkind = 'r'
          and to_date(right(relname, 7), 'YYYY_MM') < ${boundary(3)}
      `
      expect(months).toHaveLength(0)
      expect(await reports()).toEqual(expected)
      await expectNothingBroken()
      expect((await runRebuildReports(world.data_dir)).code).toBe(0)
      expect(await reports()).toEqual(expected)
      await expectNothingBroken()
    },
    TIMEOUT_MS,
  )
})

test(
  "Ranges that adjoin within a dropped day add up to the range of both",
  async () => {
    const days = await world.sql`
      select program_id, max(starts_at) as day from tracking.dropped_clicks
      where dimension = 'country'
      group by program_id
    `
    expect(days).toHaveLength(programs.length)
    for (const { program_id, day } of days) {
      const { session } = programs.find(program => program.program_id === Number(program_id))!
      const noon = new Date(day.getTime() + 12 * 3_600_000)
      const [first, last] = ["2024-11-01T05:00:00Z", "2026-12-31T05:00:00Z"]
      const clicks = async (report: string, from: string, to: string) =>
        clicksIn(await upToNow(`${report}dateFrom=${from}&dateTo=${to}`, session))

      for (const report of ["performance/:id?", "breakdown/:id?by=country&"]) {
        const path = report.replace(":id", `${program_id}`)
        const before = new Date(noon.getTime() - 1).toISOString()
        const [all, ...parts] = [
          await clicks(path, first, last),
          await clicks(path, first, before),
          await clicks(path, noon.toISOString(), last),
        ]
        expect(parts[0]! + parts[1]!).toBe(all!)
        expect(Math.min(...parts)).toBeGreaterThan(0)
      }
    }
  },
  TIMEOUT_MS,
)

test(
  "A customer whose click was dropped goes on as before",
  async () => {
    const [{ program_id, api_token }] = programs as [(typeof programs)[0]]
    const [customer] = await world.sql`
      select click_id from tracking.customers
      where program_id = ${program_id} and customer_status = 'click'
        and not exists (
          select from tracking.affiliate_click_events where id = click_event_id
        )
      limit 1
    `
    const { click_id } = customer!
    const lead = { click_id, customer_key: "of long ago", email: "ada@example.com" }
    expect(await world.send("/api/v1/track/lead", lead)).toMatchObject({ success: true })
    const sale = { transaction_id: "of long ago", amount_cents: 100, customer_key: "of long ago" }
    expect(await world.send("/api/v1/track/sale", sale, api_token)).toMatchObject({
      success: true,
      commission_id: expect.any(Number),
    })
    await expectNothingBroken()
  },
  TIMEOUT_MS,
)

test(
  "Clicks that come into a dropped month all the same are counted with it",
  async () => {
    const clicks = async () =>
      (await reports()).reduce((sum, text) => sum + clicksIn(JSON.parse(text)), 0)
    const before = await clicks()
    await world.sql`
      with old as (
        insert into tracking.affiliate_click_events (
          program_id, click_id, customer_id, partner_id, link_id, window_days, click_timestamp,
          final_xact
        )
        select
          program_id, click_id, customer_id, partner_id, link_id, window_days,
          ${boundary(10)}::timestamptz + n * interval '90 seconds', pg_current_xact_id()
        from (select * from tracking.affiliate_click_events where not is_test limit 1) as click
        cross join generate_series(1, 50) as n
        returning link_id, partner_id
      ),
      of_link as (
        update tracking.referral_links set clicks = clicks + 50 where id in (select link_id from old)
      )
      update tracking.partner_programs set clicks = clicks + 50
      where partner_id in (select partner_id from old)
    `
    expect(await clicks()).toBe(before) // nobody counts them twice: reporting waits for the totals

    await restart({ CLICK_RETENTION_MONTHS: "3" })
    await dropped(3)
    expect(await clicks()).toBe(before + 50 * REPORTS.length)
    await expectNothingBroken()
  },
  TIMEOUT_MS,
)

/** Each program's reports, byte by byte, once they reach up to now. */
async function reports(): Promise<string[]> {
  const texts: string[] = []
  for (const { program_id, session } of programs) {
    for (const report of REPORTS) {
      texts.push(JSON.stringify(await upToNow(report.replace(":id", `${program_id}`), session)))
    }
  }
  return texts
}

async function upToNow(report: string, session: string): Promise<any> {
  let body: any
  await until(async () => {
    body = await world.read(`/api/tracking/${report}`, session)
    return !body.meta.appliedUntil
  })
  return body
}

const clicksIn = ({ metrics, data }: any): number =>
  metrics?.totalClicks ?? data.reduce((sum: number, row: any) => sum + row.clicks, 0)

async function totalOf(eventType: string): Promise<number[]> {
  return Promise.all(
    programs.map(async ({ program_id, session }) => {
      const path = `/api/tracking/events/${program_id}?eventType=${eventType}`
      return (await world.read(path, session)).meta.pagination.total
    }),
  )
}

const countersOf = ({ sql }: System) => sql`
  select id, clicks from tracking.counted_links order by id
`

async function restart(environment: Record<string, string>) {
  const { data_dir } = world
  await world.stop()
  world = await launchOwnSystem({ DATA_DIR: data_dir, ...environment })
}

function boundary(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString()
}

const dropped = (months: number) =>
  until(async () => {
    const old = await world.sql`
      select from tracking.affiliate_click_events
      where click_timestamp < ${boundary(months)}
      limit 1
    `
    return old.length === 0
  })

async function until(isSo: () => Promise<boolean>) {
  const tries = (TIMEOUT_MS / LOOK_EVERY_MS) * 0.8
  for (let i = 0; i < tries; i++) {
    if (await isSo()) return
    await Bun.sleep(LOOK_EVERY_MS)
  }
  throw new Error("It did not come about.")
}

async function expectNothingBroken() {
  const { code, output } = await runAudit(world.data_dir)
  expect(output).not.toContain("BROKEN")
  expect(code).toBe(0)
}

/** Everything happened up to 20 months ago; clicks of most months have a partition. */
async function makeOld(sql: System["sql"]) {
  await sql.unsafe(`
    do $$
    declare month date;
    begin
      for month in select date_trunc('month', now()) - i * interval '1 month' from generate_series(1, 20) i loop
        continue when extract(month from month) = 4; -- these are in no partition of their own
        execute format(
          'create table tracking.affiliate_click_events_%s partition of tracking.affiliate_click_events
            for values from (%L) to (%L)',
          to_char(month, 'YYYY_MM'), month::timestamp at time zone 'UTC',
          (month + interval '1 month') at time zone 'UTC'
        );
      end loop;
    end
    $$;
    update tracking.affiliate_click_events
      set
        click_timestamp = click_timestamp - (id % 21) * interval '1 month' - (id % 5) * interval '50 hours',
        geo_country = (array['DE', 'FR', null])[1 + id % 3],
        device_type = (array['desktop', 'mobile', 'bot', null])[1 + id % 4],
        referrer_host = (array['news.example', null])[1 + id % 2],
        sub_id = (array['summer', 'Summer', 'süß', 'spring', null])[1 + id % 5];
    update tracking.affiliate_lead_events set lead_timestamp = lead_timestamp - (id % 19) * interval '1 month';
    update tracking.affiliate_sale_events set sale_date = sale_date - (id % 17) * interval '1 month';
    update identity.programs set created_at = created_at - interval '20 months';
  `)
}
