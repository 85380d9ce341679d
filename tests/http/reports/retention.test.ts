import { beforeAll, describe, expect, test } from "bun:test"
import { runAudit, runRebuildReports } from "../../support/commands"
import { generateTraffic, launchOwnSystem, type System } from "../../support/own-system"

const TIMEOUT_MS = 60_000
const POLL_MS = 100
const RANGES = ["period=all", "dateFrom=2024-11-01&dateTo=2026-12-31"]
const DIMENSIONS = ["partner", "link", "country", "device", "browser", "referrer", "sub_id"]
const REPORTS = RANGES.flatMap(range => [
  `performance/:id?${range}`,
  ...DIMENSIONS.map(by => `breakdown/:id?by=${by}&pageSize=100&${range}`),
])

/** Restarted with other settings: each start drops old clicks. */
let system: System
const programs: Awaited<ReturnType<typeof generateTraffic>>[] = []
let expected: string[]

beforeAll(async () => {
  system = await launchOwnSystem()
  for (let i = 0; i < 2; i++) programs.push(await generateTraffic(system))
  await backdateEvents(system.sql)
  await runRebuildReports(system.data_dir)
  expected = await reports()
}, TIMEOUT_MS)

describe("CLICK_RETENTION_MONTHS", () => {
  test(
    "drops whole months of clicks, and changes no count",
    async () => {
      const [leads, sales] = [await totalOf("lead"), await totalOf("conversion")]
      const counters = await countersOf(system)
      await restart({ CLICK_RETENTION_MONTHS: "14" })
      await waitUntilDropped(14)

      expect(await reports()).toEqual(expected)
      expect(await countersOf(system)).toEqual(counters)
      expect([await totalOf("lead"), await totalOf("conversion")]).toEqual([leads, sales])
      await expectCleanAudit()
    },
    TIMEOUT_MS,
  )

  test(
    "lists and totals begin with the oldest click kept",
    async () => {
      for (const { program_id, session } of programs) {
        const [{ kept }] = (await system.sql`
          select count(*)::int as kept
          from tracking.affiliate_click_events
          where program_id = ${program_id}
        `) as unknown as [{ kept: number }]
        expect(kept).toBeGreaterThan(0)
        for (const eventType of ["", "click"]) {
          const query = `/api/tracking/events/${program_id}?eventType=${eventType}&pageSize=7`
          const events: any[] = []
          for (let page = 1; ; page++) {
            const { data, meta } = await system.read(`${query}&page=${page}`, session)
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
    "works while reporting is far behind, and a rebuild has the same sums",
    async () => {
      await system.sql.begin(async sql => {
        await sql`select pg_advisory_xact_lock(hashtext('reporting.take'))` // no batch runs
        await sql`update reporting.cursors set cursor = null, applied_until = null`
        await sql`
          truncate reporting.daily, reporting.hourly, reporting.daily_money,
            reporting.daily_breakdown, reporting.events,
            reporting.partners, reporting.commissions, reporting.conversions,
            reporting.dropped_clicks, reporting.erased_customers
        `
      })
      await restart({ CLICK_RETENTION_MONTHS: "6" })
      await waitUntilDropped(6)
      expect(await reports()).toEqual(expected)

      expect((await runRebuildReports(system.data_dir)).code).toBe(0)
      expect(await reports()).toEqual(expected)
      await expectCleanAudit()
    },
    TIMEOUT_MS,
  )

  test(
    "frees the space, also in reporting, and keeps leads and sales",
    async () => {
      await restart({ CLICK_RETENTION_MONTHS: "3" })
      await waitUntilDropped(3)
      expect(await reports()).toEqual(expected)
      await restart({ CLICK_RETENTION_MONTHS: "3" })
      await waitUntil(async () => {
        const old = await system.sql`
          select from reporting.events
          where event_type = 'click' and timestamp < ${boundary(3)}
          limit 1
        `
        return old.length === 0
      })
      const months = await system.sql`
        select from pg_class
        where relname like 'affiliate\_click\_events\_20%' and relkind = 'r'
          and to_date(right(relname, 7), 'YYYY_MM') < ${boundary(3)}
      `
      expect(months).toHaveLength(0)
      expect(await reports()).toEqual(expected)
      await expectCleanAudit()
      expect((await runRebuildReports(system.data_dir)).code).toBe(0)
      expect(await reports()).toEqual(expected)
      await expectCleanAudit()
    },
    TIMEOUT_MS,
  )
})

test(
  "Adjacent ranges that meet within a dropped day add up to the range of both",
  async () => {
    const days = await system.sql`
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
        clicksIn(await readUpToDate(`${report}dateFrom=${from}&dateTo=${to}`, session))

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
  "The breakdown of a partner has dropped clicks without a value, and adds up to the performance",
  async () => {
    const query = "dateFrom=2024-11-01&dateTo=2026-12-31"
    for (const { program_id, session } of programs) {
      const all = await readUpToDate(`breakdown/${program_id}?by=partner&${query}`, session)
      const sums = []
      for (const { value } of all.data) {
        const own = `/api/partner/programs/${program_id}/breakdown?by=country&pageSize=100&${query}`
        const { data } = await system.read(`${own}&as_partner=${value}`, session)
        expect(data.find((row: { value: unknown }) => row.value === null)?.clicks).toBeGreaterThan(
          0,
        )
        sums.push(data.reduce((sum: number, row: { clicks: number }) => sum + row.clicks, 0))
      }
      expect(sums).toEqual(all.data.map(({ clicks }: { clicks: number }) => clicks))
    }
  },
  TIMEOUT_MS,
)

test(
  "A customer whose click was dropped can still sign up and buy",
  async () => {
    const [{ program_id, api_token }] = programs as [(typeof programs)[0]]
    const [customer] = await system.sql`
      select click_id from tracking.customers
      where program_id = ${program_id} and customer_status = 'click'
        and not exists (
          select from tracking.affiliate_click_events where id = click_event_id
        )
      order by attributed_at desc
      limit 1
    `
    const { click_id } = customer!
    const lead = { click_id, customer_key: "of long ago", email: "ada@example.com" }
    expect(await system.send("/api/v1/track/lead", lead)).toMatchObject({ success: true })
    const sale = { transaction_id: "of long ago", amount_cents: 100, customer_key: "of long ago" }
    expect(await system.send("/api/v1/track/sale", sale, api_token)).toMatchObject({
      success: true,
      commission_id: expect.any(Number),
    })
    await expectCleanAudit()
  },
  TIMEOUT_MS,
)

test(
  "Late clicks in a dropped month are counted with it",
  async () => {
    const clicks = async () =>
      (await reports()).reduce((sum, text) => sum + clicksIn(JSON.parse(text)), 0)
    const before = await clicks()
    await system.sql`
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
    expect(await clicks()).toBe(before) // not counted yet: reporting waits for the totals

    await restart({ CLICK_RETENTION_MONTHS: "3" })
    await waitUntilDropped(3)
    expect(await clicks()).toBe(before + 50 * REPORTS.length)
    await expectCleanAudit()
  },
  TIMEOUT_MS,
)

/** Returns each program's reports as text once they are up to date. */
async function reports(): Promise<string[]> {
  const texts: string[] = []
  for (const { program_id, session } of programs) {
    for (const report of REPORTS) {
      texts.push(
        JSON.stringify(await readUpToDate(report.replace(":id", `${program_id}`), session)),
      )
    }
  }
  return texts
}

async function readUpToDate(report: string, session: string): Promise<any> {
  let body: any
  await waitUntil(async () => {
    body = await system.read(`/api/tracking/${report}`, session)
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
      return (await system.read(path, session)).meta.pagination.total
    }),
  )
}

const countersOf = ({ sql }: System) => sql`
  select id, clicks from tracking.counted_links order by id
`

async function restart(environment: Record<string, string>) {
  const { data_dir } = system
  await system.stop()
  system = await launchOwnSystem({ DATA_DIR: data_dir, ...environment })
}

function boundary(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString()
}

const waitUntilDropped = (months: number) =>
  waitUntil(async () => {
    const old = await system.sql`
      select from tracking.affiliate_click_events
      where click_timestamp < ${boundary(months)}
      limit 1
    `
    return old.length === 0
  })

async function waitUntil(isTrue: () => Promise<boolean>) {
  const tries = (TIMEOUT_MS / POLL_MS) * 0.8
  for (let i = 0; i < tries; i++) {
    if (await isTrue()) return
    await Bun.sleep(POLL_MS)
  }
  throw new Error("The condition was not met in time.")
}

async function expectCleanAudit() {
  const { code, output } = await runAudit(system.data_dir)
  expect(output).not.toContain("violations:")
  expect(code).toBe(0)
}

/** Moves customers, with all that they did, up to 20 months back. Most months get a partition. */
async function backdateEvents(sql: System["sql"]) {
  await sql.unsafe(`
    do $$
    declare month date;
    begin
      for month in select date_trunc('month', now()) - i * interval '1 month' from generate_series(1, 20) i loop
        continue when extract(month from month) = 4; -- these have no partition of their own
        execute format(
          'create table tracking.affiliate_click_events_%s partition of tracking.affiliate_click_events
            for values from (%L) to (%L)',
          to_char(month, 'YYYY_MM'), month::timestamp at time zone 'UTC',
          (month + interval '1 month') at time zone 'UTC'
        );
      end loop;
    end
    $$;
    create function pg_temp.age(customer_id bigint) returns interval language sql immutable as
      $$ select (customer_id % 21) * interval '1 month' + (customer_id % 5) * interval '50 hours' $$;
    update tracking.affiliate_click_events
      set
        click_timestamp = click_timestamp - coalesce(pg_temp.age(customer_id), interval '0'),
        window_days = 365,
        geo_country = (array['DE', 'FR', null])[1 + id % 3],
        device_type = (array['desktop', 'mobile', 'bot', null])[1 + id % 4],
        referrer_host = (array['news.example', null])[1 + id % 2],
        sub_id = (array['summer', 'Summer', 'süß', 'spring', null])[1 + id % 5];
    update tracking.customers
      set
        attributed_at = attributed_at - pg_temp.age(id),
        signup_date = signup_date - pg_temp.age(id),
        first_purchase_date = first_purchase_date - pg_temp.age(id),
        window_days = 365;
    update tracking.affiliate_lead_events as lead
      set
        lead_timestamp = lead_timestamp - pg_temp.age(lead.customer_id),
        geo_country = click.geo_country, device_type = click.device_type,
        referrer_host = click.referrer_host, sub_id = click.sub_id
      from tracking.customers join tracking.affiliate_click_events as click on click.id = click_event_id
      where customers.id = lead.customer_id;
    update tracking.affiliate_sale_events as sale
      set
        sale_date = sale_date - pg_temp.age(sale.customer_id),
        window_days = 365,
        geo_country = click.geo_country, device_type = click.device_type,
        referrer_host = click.referrer_host, sub_id = click.sub_id
      from tracking.affiliate_click_events as click
      where click.id = sale.click_event_id;
    update commissions.commissions as commission
      set sale_date = sale.sale_date
      from tracking.affiliate_sale_events as sale
      where sale.id = commission.sale_id;
    update tracking.uncounted_clicks set clicked_at = clicked_at - interval '20 years';
    update tracking.referral_links as link
      set last_clicked = (
        select max(click_timestamp) from tracking.affiliate_click_events where link_id = link.id and not is_test
      );
    update tracking.partner_programs as partner
      set last_clicked = (
        select max(click_timestamp) from tracking.affiliate_click_events
        where (program_id, partner_id) = (partner.program_id, partner.partner_id) and not is_test
      );
    update identity.programs set created_at = created_at - interval '20 months';
  `)
}
