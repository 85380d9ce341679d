import type postgres from "postgres"
import { seededRandom } from "../../lib/random"
import { decide } from "./decisions"
import type { Sql } from "./rows"
import { visitorsOf } from "./visitors"
import { writeDecisions } from "./write-decisions"
import { type Scene, writeGroups, writePartners } from "./write-partners"
import { salesOf, storeCommissions, storeSales } from "./write-sales"
import { writeVisitors } from "./write-visitors"

const SEED = "history"

export type History = { clicks: number; leads: number; sales: number }

/**
 * Gives the demo program 90 days of history up to now, and marks it as the demo, in one transaction.
 * It is written straight into the tables of all services, as the superuser of the embedded server:
 * through the API everything happens now. The seed fixes what happens. Null: the program has it.
 *
 * The rows are those that the services would have stored, and `npm run audit` holds them to that.
 */
export function writeHistory(sql: postgres.Sql, program_id: number): Promise<History | null> {
  return sql.begin(async sql => {
    const owner = await markAsDemo(sql, program_id)
    if (!owner) return null

    const { xact, now_ms: now } = owner
    const scene: Scene = { program_id, now, xact }
    const random = seededRandom(SEED)
    const groups = await writeGroups(sql, scene)
    const partners = await writePartners(sql, scene, groups)
    const visitors = visitorsOf(random, now)
    const recorded = await writeVisitors(sql, scene, visitors, partners)
    const sales = await salesOf(sql, recorded, groups)
    const commissions = sales.flatMap(({ commission }) => commission ?? [])
    const steps = decide(random, commissions, now)
    await storeSales(sql, scene, sales, recorded)
    await storeCommissions(sql, scene, sales)
    await writeDecisions(sql, scene, owner, steps)
    await countClicks(sql, program_id)

    const leads = visitors.filter(({ signed_up_at }) => signed_up_at !== null).length
    return { clicks: recorded.clicks.length, leads, sales: sales.length }
  })
}

/** Dates the program back. Returns its owner, and the time and id of this transaction. */
async function markAsDemo(sql: Sql, program_id: number) {
  const [owner] = await sql<
    [{ user_id: number; workspace_id: number; now_ms: number; xact: string }?]
  >`
    update identity.programs
    set
      is_demo = true,
      created_at = now() - interval '92 days',
      published_at = now() - interval '92 days'
    from identity.memberships as membership
    where programs.id = ${program_id}
      and not is_demo
      and membership.workspace_id = programs.workspace_id
      and role = 'owner'
    returning
      user_id::int,
      programs.workspace_id::int,
      floor(extract(epoch from now()) * 1000)::float8 as now_ms,
      pg_current_xact_id()::text as xact
  `
  return owner
}

/** Sets the counters of links and partners, and gives each month of clicks its partition. */
async function countClicks(sql: Sql, program_id: number) {
  await sql`
    update tracking.referral_links as link
    set
      clicks = counted.clicks,
      last_clicked = counted.newest
    from (
      select link_id, count(*) as clicks, max(click_timestamp) as newest
      from tracking.affiliate_click_events
      where program_id = ${program_id}
        and final_xact = pg_current_xact_id()
      group by link_id
    ) as counted
    where link.id = counted.link_id
  `
  await sql`
    update tracking.partner_programs as partner
    set
      clicks = counted.clicks,
      last_clicked = counted.newest
    from (
      select partner_id, sum(clicks) as clicks, max(last_clicked) as newest
      from tracking.referral_links
      where program_id = ${program_id}
      group by partner_id
    ) as counted
    where partner.program_id = ${program_id}
      and partner.partner_id = counted.partner_id
      and partner.clicks = 0
      and counted.clicks > 0
  `
  await sql`select tracking.ensure_click_partitions()`
}
