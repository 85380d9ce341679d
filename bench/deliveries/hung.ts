import { never } from "../../tests/support/webhook-receiver"
import { quantile } from "../reports/quantile"
import { type Bench, pauseDelivery, untilPublished, type Workspace } from "./with-system"

const EVENTS_PER_SECOND = 50
const SALES_PER_SECOND = EVENTS_PER_SECOND / 2 // each is an event, and its commission another
const CUSTOMERS = 100
const TICK_MS = 5
const POLL_MS = 250
const WARM_UP_SECONDS = 5

type Stretch = { sales_ms: number[]; start_ms: number; end_ms: number }

/**
 * Sells at a steady rate, in turns with delivery stopped, and with fifty endpoints that hang and one
 * that is healthy, each of which gets 50 events a second.
 */
export async function measureBesideHung(bench: Bench, rounds: number, seconds: number) {
  const { receiver, newWorkspace, happen } = bench
  receiver.answer("hung", never)
  const hung = (count: number) => Array<string>(count).fill("hung")
  const selling = await newWorkspace("selling", ["healthy", ...hung(16)])
  const others = [
    (await newWorkspace("one", hung(17))).program_id,
    (await newWorkspace("two", hung(17))).program_id,
  ]
  const sell = await openShop(bench, selling)
  const happenToOthers = () => happen(others, 1)

  await stretch(sell, happenToOthers, WARM_UP_SECONDS)
  const [without, beside]: [Stretch[], Stretch[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const resume = await pauseDelivery(bench)
    without.push(await stretch(sell, null, seconds))
    await resume()
    await untilDelivered(bench, selling)
    beside.push(await stretch(sell, happenToOthers, seconds))
    await untilDelivered(bench, selling)
  }
  const latencies = await firstAttempts(bench, beside)
  return {
    healthy: figuresOf(latencies),
    sales_beside: figuresOf(beside.flatMap(({ sales_ms }) => sales_ms)),
    sales_without: figuresOf(without.flatMap(({ sales_ms }) => sales_ms)),
    ratios: beside.map((one, i) => p99(one.sales_ms) / p99(without[i]!.sales_ms)),
  }
}

/** Makes a partner and customers. Returns what sells to one of them, and how many ms that takes. */
async function openShop({ client, system }: Bench, { program_id, session, api_token }: Workspace) {
  const partners = `/api/advertiser/affiliate-programs/${program_id}/partners`
  const body = { email: "partner@example.com", name: "Partner" }
  const { links } = await client("POST", partners, { token: session, body })
  const affiliate_url = `https://shop.example/?aff=${links[0].code}`
  const customers: string[] = []
  for (let i = 0; i < CUSTOMERS; i++) {
    const clicked = await client("POST", "/api/v1/track/click", { body: { affiliate_url } })
    customers.push(clicked.click_id)
  }
  let count = 0
  const headers = { "content-type": "application/json", authorization: `Bearer ${api_token}` }
  return async function sell(): Promise<number> {
    const sale = { transaction_id: `sale-${++count}`, amount_cents: 4_999 }
    const body = JSON.stringify({ ...sale, click_id: customers[count % CUSTOMERS] })
    const start = performance.now()
    const url = `${system.url}/api/v1/track/sale`
    const reply = await fetch(url, { method: "POST", headers, body })
    const text = await reply.text()
    if (!reply.ok) throw new Error(text)
    return performance.now() - start
  }
}

/** Sells, and lets events happen to others, at fixed rates, however long each takes. */
async function stretch(
  sell: () => Promise<number>,
  happen: (() => Promise<unknown>) | null,
  seconds: number,
): Promise<Stretch> {
  const [start_ms, start] = [Date.now(), performance.now()]
  const passed = () => (performance.now() - start) / 1_000
  const selling: Promise<number>[] = []
  const happening: Promise<unknown>[] = []
  while (passed() < seconds) {
    while (selling.length < passed() * SALES_PER_SECOND) selling.push(sell())
    while (happen && happening.length < passed() * EVENTS_PER_SECOND) happening.push(happen())
    await Bun.sleep(TICK_MS)
  }
  await Promise.all(happening)
  return { sales_ms: await Promise.all(selling), start_ms, end_ms: Date.now() }
}

/** Waits until the healthy endpoint has all events so far, so that none of them delays the next. */
async function untilDelivered(bench: Bench, { program_id }: Workspace) {
  await untilPublished(bench)
  const [{ events }] = await bench.system.sql<[{ events: number }]>`
    select count(*)::int as events
    from delivery.events
    where program_id = ${program_id}
  `
  const received = () => {
    const ids = bench.receiver.received("healthy").map(({ headers }) => headers.get("webhook-id"))
    return new Set(ids).size
  }
  while (received() < events) await Bun.sleep(POLL_MS)
}

/** How many ms after they happened the events of these stretches reached the healthy endpoint. */
async function firstAttempts({ receiver }: Bench, stretches: Stretch[]): Promise<number[]> {
  const expected = 2 * stretches.reduce((sum, { sales_ms }) => sum + sales_ms.length, 0)
  for (;;) {
    const latencies = receiver.received("healthy").flatMap(({ body, at_ms }) => {
      const happened_ms = Date.parse(JSON.parse(body).timestamp)
      const isMeasured = stretches.some(
        ({ start_ms, end_ms }) => happened_ms >= start_ms && happened_ms <= end_ms,
      )
      return isMeasured ? at_ms - happened_ms : []
    })
    if (latencies.length >= expected) return latencies
    await Bun.sleep(1_000)
  }
}

const p99 = (numbers: number[]) => quantile(numbers, 0.99)
const figuresOf = (numbers: number[]) => ({
  count: numbers.length,
  p50_ms: quantile(numbers, 0.5),
  p99_ms: p99(numbers),
  max_ms: Math.max(...numbers),
})
