import { join } from "node:path"
import postgres from "postgres"
import { type Advertiser, newAdvertiser } from "../chaos/trial/advertiser"
import { httpClient } from "../chaos/trial/client"
import { findDiscrepancies } from "../chaos/trial/discrepancies"
import { type Journal, openJournal } from "../chaos/trial/journal"
import { isFailed } from "../chaos/trial/outcome"
import { openShop } from "../chaos/trial/shop"
import { startTraffic } from "../chaos/trial/traffic"
import type { Stage } from "./stage"

const DRAIN_TIMEOUT_MS = 20_000
const LISTED_MAX = 3
const COMMISSION_SHARE = 0.3

type Load = {
  url: string
  durationMs: number
  /** Runs after half of the time. */
  halfway?(journal: Journal): Promise<unknown>
  failureShareMax: number // of attempts, which clients repeat
}
export type LoadRun = { journal: Journal; advertiser: Advertiser; url: string }

/**
 * Sends clicks, leads, sales and refunds at a fixed rate over kept-alive connections, and repeats
 * those whose outcome is unknown, as integrations do. Verifies that few fail and that all end.
 */
export async function runLoad(stage: Stage, name: string, load: Load): Promise<LoadRun> {
  const post = httpClient(load.url)
  const advertiser = await newAdvertiser(post, name)
  const journal = openJournal(join(stage.folder, `${name}.jsonl`))
  const traffic = startTraffic(journal, openShop(advertiser), post)
  stage.onEnd(traffic.stop)

  traffic.resume()
  await Bun.sleep(load.durationMs / 2)
  await load.halfway?.(journal)
  await Bun.sleep(load.durationMs / 2)
  const { pending } = await traffic.drain(DRAIN_TIMEOUT_MS)
  traffic.stop()

  const { attempts, requests } = journal
  const failed = attempts.filter(isFailed)
  const refused = [...requests.values()].filter(state => state === "refused").length
  const listed = failed.slice(0, LISTED_MAX)
  stage.verify(`${name}: ${requests.size} requests, ${failed.length} failed and were repeated`, [
    ...(failed.length <= attempts.length * load.failureShareMax
      ? []
      : listed.map(
          ({ request, status, body }) => `${request.kind} ${status} ${JSON.stringify(body)}`,
        )),
    ...(refused === 0 ? [] : [`${refused} were refused`]),
    ...(pending === 0 ? [] : [`${pending} never succeeded`]),
    ...(requests.size > 0 ? [] : ["no request was sent"]),
  ])
  return { journal, advertiser, url: load.url }
}

/** Compares the reports with what was acknowledged, to the last cent. */
export async function verifyReports(stage: Stage, { journal, advertiser, url }: LoadRun) {
  const { program_id, session } = advertiser
  const path = `${url}/api/tracking/performance/${program_id}?period=all`
  const response = await fetch(path, { headers: { authorization: `Bearer ${session}` } })
  const { metrics, meta } = (await response.json()) as any // any: an error has neither

  const requestsWith = (kind: string, ...states: string[]) =>
    [...journal.requests].flatMap(([request, state]) =>
      request.kind === kind && states.includes(state) ? [request] : [],
    )
  const sales = requestsWith("sale", "acknowledged").map(({ body }) => Number(body.amount_cents))
  const commissionCents = sales.reduce(
    (sum, cents) => sum + Math.round(cents * COMMISSION_SHARE),
    0,
  )
  const clicks = requestsWith("click", "acknowledged").length
  const doubtful = requestsWith("click", "doubtful").length // clicks are not repeated
  const actual = {
    totalClicks: metrics?.totalClicks,
    totalLeads: metrics?.totalLeads,
    totalSales: metrics?.totalSales,
    totalPartnersCommission: metrics?.totalPartnersCommission,
  }
  const expected = {
    totalClicks: Math.min(Math.max(actual.totalClicks, clicks), clicks + doubtful),
    totalLeads: requestsWith("lead", "acknowledged").length,
    totalSales: sales.length,
    totalPartnersCommission: commissionCents / 100,
  }
  const isCorrect = JSON.stringify(actual) === JSON.stringify(expected) && !meta?.appliedUntil
  const sent = `${clicks} clicks, ${expected.totalLeads} leads, ${sales.length} sales`
  stage.verify(`reports: ${sent}`, isCorrect ? [] : [JSON.stringify({ actual, expected, meta })])
}

/** Verifies that the owners' tables, all on one server, have each request exactly once. */
export async function verifyRows(stage: Stage, databaseUrl: string, requests: Journal["requests"]) {
  const sql = postgres(databaseUrl, {
    max: 2,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    fetch_types: false,
  })
  const { lost, duplicated } = await findDiscrepancies(sql, requests)
  await sql.end()
  stage.verify(`rows: ${requests.size} requests, 0 lost, 0 duplicated`, [
    ...lost.slice(0, LISTED_MAX).map(request => `lost: ${request}`),
    ...duplicated.slice(0, LISTED_MAX).map(request => `duplicated: ${request}`),
  ])
}
