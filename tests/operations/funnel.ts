import { join } from "node:path"
import postgres from "postgres"
import { type Advertiser, newAdvertiser } from "../chaos/trial/advertiser"
import { httpClient } from "../chaos/trial/client"
import { type Journal, openJournal } from "../chaos/trial/journal"
import { isFailed } from "../chaos/trial/outcome"
import { openShop } from "../chaos/trial/shop"
import { startTraffic } from "../chaos/trial/traffic"
import { judge } from "../chaos/trial/verdict"
import type { Stage } from "./stage"

const REST_MS = 20_000
const NAMED_MAX = 3
const COMMISSION_SHARE = 0.3

type Load = {
  url: string
  lasts_ms: number
  /** What happens after half of the time. */
  strike?(journal: Journal): Promise<unknown>
  failures_max_share: number // of requests that may fail, and which clients repeat
}
export type LoadRun = { journal: Journal; advertiser: Advertiser; url: string }

/**
 * Clicks, leads, sales and refunds at a fixed rate over kept connections, by clients that repeat
 * what was left in doubt, as integrations do.
 */
export async function runLoad(stage: Stage, name: string, load: Load): Promise<LoadRun> {
  const post = httpClient(load.url)
  const advertiser = await newAdvertiser(post, name)
  const journal = openJournal(join(stage.folder, `${name}.jsonl`))
  const traffic = startTraffic(journal, openShop(advertiser), post)
  stage.after(traffic.stop)

  traffic.flow()
  await Bun.sleep(load.lasts_ms / 2)
  await load.strike?.(journal)
  await Bun.sleep(load.lasts_ms / 2)
  const { left_open } = await traffic.rest(REST_MS)
  traffic.stop()

  const { attempts, wishes } = journal
  const failed = attempts.filter(isFailed)
  const refused = [...wishes.values()].filter(fate => fate === "refused").length
  const named = failed.slice(0, NAMED_MAX)
  stage.verify(`${name}: ${wishes.size} requests, ${failed.length} failed and were repeated`, [
    ...(failed.length <= attempts.length * load.failures_max_share
      ? []
      : named.map(({ wish, status, body }) => `${wish.kind} ${status} ${JSON.stringify(body)}`)),
    ...(refused === 0 ? [] : [`${refused} were refused`]),
    ...(left_open === 0 ? [] : [`${left_open} never came to an end`]),
    ...(wishes.size > 0 ? [] : ["there were none"]),
  ])
  return { journal, advertiser, url: load.url }
}

/** What was acknowledged against what the reports say of it, to the last cent. */
export async function verifyReports(stage: Stage, { journal, advertiser, url }: LoadRun) {
  const { program_id, session } = advertiser
  const path = `${url}/api/tracking/performance/${program_id}?period=all`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${session}` } })
  const { metrics, meta } = (await answer.json()) as any // any: a failure has neither

  const wishesOf = (kind: string, ...fates: string[]) =>
    [...journal.wishes].flatMap(([wish, fate]) =>
      wish.kind === kind && fates.includes(fate) ? [wish] : [],
    )
  const sales = wishesOf("sale", "acknowledged").map(({ body }) => Number(body.amount_cents))
  const commission_cents = sales.reduce(
    (sum, cents) => sum + Math.round(cents * COMMISSION_SHARE),
    0,
  )
  const clicks = wishesOf("click", "acknowledged").length
  const doubtful = wishesOf("click", "doubtful").length // a click is not repeated
  const said = {
    totalClicks: metrics?.totalClicks,
    totalLeads: metrics?.totalLeads,
    totalSales: metrics?.totalSales,
    totalPartnersCommission: metrics?.totalPartnersCommission,
  }
  const meant = {
    totalClicks: Math.min(Math.max(said.totalClicks, clicks), clicks + doubtful),
    totalLeads: wishesOf("lead", "acknowledged").length,
    totalSales: sales.length,
    totalPartnersCommission: commission_cents / 100,
  }
  const isSo = JSON.stringify(said) === JSON.stringify(meant) && !meta?.appliedUntil
  const told = `${clicks} clicks, ${meant.totalLeads} leads, ${sales.length} sales`
  stage.verify(`reports: ${told}`, isSo ? [] : [JSON.stringify({ said, meant, meta })])
}

/** The same against the owners' tables, where they are on one server: nothing lost, nothing twice. */
export async function verifyRows(stage: Stage, database_url: string, wishes: Journal["wishes"]) {
  const sql = postgres(database_url, {
    max: 2,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    fetch_types: false,
  })
  const { lost, duplicated } = await judge(sql, wishes)
  await sql.end()
  stage.verify(`rows: ${wishes.size} wishes, 0 lost, 0 duplicated`, [
    ...lost.slice(0, NAMED_MAX).map(what => `lost: ${what}`),
    ...duplicated.slice(0, NAMED_MAX).map(what => `duplicated: ${what}`),
  ])
}
