import postgres from "postgres"
import { httpClient } from "../chaos/trial/client"
import type { Journal, TrackingRequest } from "../chaos/trial/journal"
import { type LoadRun, runLoad, verifyReports, verifyRows } from "./funnel"
import type { Postgres } from "./postgres"
import { waitUntil } from "./process"
import type { Stage } from "./stage"
import { auditSystem, type Environment, startSystem } from "./system"
import { FAILURE_SHARE_MAX } from "./topology-trial"

const AFTER = { durationMs: 1_000, failureShareMax: FAILURE_SHARE_MAX }

/** Returns the requests that are acknowledged so far: a backup that starts now must have them. */
export const acknowledgedRequests = ({ requests }: Journal): Set<TrackingRequest> =>
  new Set([...requests].flatMap(([request, state]) => (state === "acknowledged" ? [request] : [])))

/** Starts Tributary on a server restored from a backup, and verifies that nothing is lost. */
export async function verifyRestored(
  stage: Stage,
  server: Postgres,
  environment: Environment,
  { sent, before, origin }: { sent: LoadRun; before: Set<TrackingRequest>; origin: string },
) {
  const sql = postgres(server.url, { max: 1, fetch_types: false })
  const system = await startSystem(stage, "after", { ...environment, DATABASE_URL: server.url })
  const { url } = system
  await verifyCredentials(stage, { ...sent, url })
  await waitUntil(
    "the read model is rebuilt",
    async () => !(await summaryOf(sent, url)).appliedUntil,
  )
  const restoredOrigin = await originOf(server.url)
  stage.verify(
    "reporting recognizes the restored server as a new one",
    restoredOrigin === origin ? [restoredOrigin] : [],
  )
  await verifyRecount(stage, sql, sent, url)
  const states = [...sent.journal.requests.keys()].map(
    request => [request, before.has(request) ? "acknowledged" : "doubtful"] as const,
  )
  await verifyRows(stage, server.url, new Map(states))
  await verifyReports(stage, await runLoad(stage, "after", { url, ...AFTER }))
  await auditSystem(stage, system)
  await sql.end()
}

/** Returns the server whose transactions reporting's cursors refer to. */
export async function originOf(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [found] = await sql<[{ origin: string }]>`
    select cursor ->> 'origin' as origin
    from reporting.cursors
    where feed = 'clicks'
  `
  await sql.end()
  return found.origin
}

/** Verifies that a session, a tracking token and a click from before the restore still work. */
async function verifyCredentials(stage: Stage, { journal, advertiser, url }: LoadRun) {
  const { session, api_token } = advertiser
  const me = await fetch(`${url}/api/auth/session`, {
    headers: { authorization: `Bearer ${session}` },
  })
  const [click] = [...journal.requests.keys()].filter(({ kind }) => kind === "click")
  const sale = { transaction_id: "restored", amount_cents: 100, click_id: click!.key }
  const saleReply = await httpClient(url)("/api/v1/track/sale", sale, api_token)
  stage.verify("sessions, tokens and clicks from before are valid", [
    ...(me.status === 200 ? [] : [`session: ${me.status}`]),
    ...(saleReply.status === 200
      ? []
      : [`token: ${saleReply.status} ${JSON.stringify(saleReply.body)}`]),
  ])
}

async function summaryOf({ advertiser }: LoadRun, url: string): Promise<any> {
  const path = `${url}/api/tracking/performance/${advertiser.program_id}?period=all`
  const headers = { authorization: `Bearer ${advertiser.session}` }
  const { metrics, meta } = (await (await fetch(path, { headers })).json()) as any
  return { ...metrics, appliedUntil: meta.appliedUntil }
}

/** Compares the rebuilt reports with the restored tables. */
async function verifyRecount(stage: Stage, sql: postgres.Sql, sent: LoadRun, url: string) {
  const { program_id } = sent.advertiser
  const [{ clicks, leads, sales }] = await sql<[Record<"clicks" | "leads" | "sales", string>]>`
    select
      (select count(*) from tracking.affiliate_click_events where program_id = ${program_id})
        as clicks,
      (select count(*) from tracking.affiliate_lead_events where program_id = ${program_id})
        as leads,
      (
        select count(*)
        from tracking.affiliate_sale_events
        where program_id = ${program_id} and final_xact is not null -- else it is still pending
      ) as sales
  `
  const { totalClicks, totalLeads, totalSales } = await summaryOf(sent, url)
  const [counted, reported] = [
    `${clicks} ${leads} ${sales}`,
    `${totalClicks} ${totalLeads} ${totalSales}`,
  ]
  stage.verify(
    `rebuilt reports: ${clicks} clicks, ${leads} leads, ${sales} sales`,
    counted === reported ? [] : [reported],
  )
}
