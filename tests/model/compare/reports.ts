import { recount } from "../../support/recount"
import type { Send } from "../client"
import { differences } from "../match"
import { isoOf, type Moment, msOf } from "../moment"
import { major } from "../money"
import { DAY_MS } from "../rules"
import type { Click, Program } from "../state"
import { managed, readAs, readPages } from "./pages"

const WEEK_DAYS = 7

/** Compares performance, aggregates, summary and breakdowns with a recount of the model's events. */
export async function compareReports(program: Program, now: number, send: Send): Promise<string[]> {
  const { id, owner } = program
  const read = (path: string) => readAs(send, owner.session, path)
  const performance = `/api/tracking/performance/${id}`
  const today = dayOf(now)
  const created = dayOf(msOf(program.at))
  const week = reportOf(program, today - (WEEK_DAYS - 1) * DAY_MS, today, "7d")
  const all = reportOf(program, created, today, "all")
  const first = created + program.random.below(1 + (today - created) / DAY_MS) * DAY_MS
  const custom = reportOf(program, first, today, "custom")
  const range = `dateFrom=${dateOf(first)}&dateTo=${dateOf(today)}`
  const currencies = [{ currency: program.currency, ...all.metrics }]
  return [
    ...differences(week, await read(performance), "performance"),
    ...differences(all, await read(`${performance}?period=all`), "performance of all"),
    ...differences(custom, await read(`${performance}?${range}`), `performance ${range}`),
    ...differences(
      { data: week.metrics, meta: week.meta },
      await read(managed(program, "/aggregates?period=7d")),
      "aggregates",
    ),
    ...differences(
      { programs: 1, currencies },
      (await read("/api/advertiser/dashboard/summary?period=all")).data,
      "summary",
    ),
    ...(await compareBreakdown(program, "partner", send, ({ partner }) => partner.id)),
    ...(await compareBreakdown(program, "link", send, ({ link }) => link.id)),
    ...(await compareBreakdown(program, "device", send, ({ device_type }) => device_type)),
    ...(await compareBreakdown(program, "browser", send, ({ browser_name }) => browser_name)),
    ...(await compareBreakdown(program, "referrer", send, ({ referrer }) => referrer)),
  ]
}

const dayOf = (ms: number) => ms - (ms % DAY_MS)
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const atOf = ({ at }: { at: Moment }) => ({ at: isoOf(at) })

function reportOf(program: Program, from: number, to: number, period: string) {
  const money = ({
    at,
    amount_cents,
    currency,
  }: {
    at: Moment
    amount_cents: number
    currency: string
  }) => ({
    at: isoOf(at),
    amount_cents,
    currency,
  })
  const rows = {
    clicks: program.clicks.map(atOf),
    leads: program.leads.map(atOf),
    conversions: program.sales.filter(({ converts }) => converts).map(atOf),
    sales: program.sales.map(money),
    commissions: program.commissions.map(money),
    partners: program.partners.map(atOf),
  }
  const report = recount(rows, program.currency, dateOf(from), dateOf(to))
  return { ...report, meta: { ...report.meta, period } }
}

type Value = string | number | null
type Facts = {
  clicks: number
  leads: number
  conversions: number
  money: Map<string, [bigint, bigint]>
}

async function compareBreakdown(
  program: Program,
  by: string,
  send: Send,
  dimensionOf: (click: Click) => Value,
): Promise<string[]> {
  const path = `/api/tracking/breakdown/${program.id}?by=${by}&period=all`
  const rows = await readPages(send, program.owner.session, path)
  const facts = new Map<Value, Facts>()
  const factsOf = (click: Click) => {
    const value = dimensionOf(click)
    const own = facts.get(value) ?? { clicks: 0, leads: 0, conversions: 0, money: new Map() }
    facts.set(value, own)
    return own
  }
  const add = ({ money }: Facts, currency: string, which: 0 | 1, cents: number) => {
    const sums = money.get(currency) ?? [0n, 0n]
    sums[which] += BigInt(cents)
    money.set(currency, sums)
  }
  for (const click of program.clicks) factsOf(click).clicks++
  for (const lead of program.leads) factsOf(lead.source).leads++
  for (const sale of program.sales) {
    const own = factsOf(sale.source)
    if (sale.converts) own.conversions++
    add(own, sale.currency, 0, sale.amount_cents)
    if (sale.commission) add(own, sale.commission.currency, 1, sale.commission.amount_cents)
  }
  const shown = new Map(rows.map(({ label: _, ...row }) => [row.value, row]))
  const expected = new Map(
    [...facts].map(([value, own]) => [value, rowOf(value, own, program.currency)]),
  )
  return [
    ...differences(Object.fromEntries(expected), Object.fromEntries(shown), `breakdown by ${by}`),
    ...rows.flatMap((row, i) =>
      i > 0 && rows[i - 1].clicks < row.clicks
        ? [`breakdown by ${by}: row ${i + 1} is not in order`]
        : [],
    ),
  ]
}

function rowOf(value: Value, { clicks, leads, conversions, money }: Facts, own: string) {
  const sums = (currency: string) => {
    const [revenue, commission] = money.get(currency) ?? [0n, 0n]
    return {
      revenue: major(Number(revenue), currency),
      commission: major(Number(commission), currency),
    }
  }
  const rate = clicks
    ? (20_000n * BigInt(conversions) + BigInt(clicks)) / (2n * BigInt(clicks))
    : 0n
  return {
    ...{ value, clicks, leads, conversions },
    ...sums(own),
    conversionRate: Number(rate) / 100,
    otherCurrencies: [...money.keys()]
      .filter(currency => currency !== own)
      .sort()
      .map(currency => ({ currency, ...sums(currency) })),
  }
}
