const DAY_MS = 24 * 60 * 60 * 1_000

type At = { at: string }
type Sum = At & { amount_cents: number; currency: string }

/** What happened in a program, from the tables of the owning services. */
export type Rows = {
  clicks: At[]
  leads: At[]
  conversions: At[]
  sales: Sum[]
  commissions: Sum[]
  partners: At[]
}

/** The performance report that a range should have, computed from the rows alone. */
export function recount(rows: Rows, own: string, dateFrom: string, dateTo: string) {
  const from = Date.parse(dateFrom)
  const to = Date.parse(dateTo.length === 10 ? `${dateTo}T23:59:59.999Z` : dateTo)
  const length = to - from + 1
  const iso = (time: number) => new Date(time).toISOString()
  const dateOf = (time: number) => iso(time).slice(0, 10)
  const now = totals(rows, own, from, to)
  const before = totals(rows, own, from - length, from - 1)

  const dates = []
  for (let day = Date.parse(dateOf(from)); day <= to; day += DAY_MS) dates.push(dateOf(day))
  const trendOf = (total: keyof typeof now) => trend(Number(now[total]), Number(before[total]))
  return {
    data: dates.map(date => {
      const start = Math.max(from, Date.parse(date))
      const day = totals(rows, own, start, Math.min(to, Date.parse(date) + DAY_MS - 1))
      const { clicks, leads, conversions, partners } = day
      return {
        ...{ date, period: date, clicks, leads, conversions, partners, sales: 0 },
        revenue: amount(day.revenue, own),
        commission: amount(day.commission, own),
      }
    }),
    metrics: {
      totalClicks: now.clicks,
      totalLeads: now.leads,
      totalConversions: now.conversions,
      totalRevenue: amount(now.revenue, own),
      conversionRate: quotient(now.conversions * 100, now.clicks, 2),
      averageOrderValue: quotient(now.revenue, now.conversions * 10 ** digits(own), digits(own)),
      totalPartners: now.partners,
      totalSales: now.sales,
      totalPartnersCommission: amount(now.commission, own),
      clicksTrend: trendOf("clicks"),
      leadsTrend: trendOf("leads"),
      conversionsTrend: trendOf("conversions"),
      revenueTrend: trendOf("revenue"),
      partnersTrend: trendOf("partners"),
      salesTrend: trendOf("sales"),
      commissionTrend: trendOf("commission"),
    },
    meta: {
      period: "custom",
      dateFrom: iso(from),
      dateTo: iso(to),
      previousPeriod: { dateFrom: iso(from - length), dateTo: iso(from - 1) },
      otherCurrencies: currenciesOf(rows)
        .filter(currency => currency !== own)
        .flatMap(currency => {
          const { revenue, commission, has_money } = totals(rows, currency, from, to)
          const sums = {
            revenue: amount(revenue, currency),
            commission: amount(commission, currency),
          }
          return has_money ? { currency, ...sums } : []
        }),
    },
  }
}

function totals(rows: Rows, currency: string, from: number, to: number) {
  const isIn = ({ at }: At) => from <= Date.parse(at) && Date.parse(at) <= to
  const count = (rows: At[]) => rows.filter(isIn).length
  const sum = (rows: Sum[]) => rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
  const ofCurrency = (rows: Sum[]) => rows.filter(isIn).filter(row => row.currency === currency)
  const [paid, earned] = [ofCurrency(rows.sales), ofCurrency(rows.commissions)]
  return {
    clicks: count(rows.clicks),
    leads: count(rows.leads),
    conversions: count(rows.conversions),
    sales: count(rows.sales),
    partners: count(rows.partners),
    revenue: sum(paid),
    commission: sum(earned),
    has_money: paid.length + earned.length > 0,
  }
}

const currenciesOf = ({ sales, commissions }: Rows): string[] =>
  [...new Set([...sales, ...commissions].map(({ currency }) => currency))].sort()

const DIGITS: Record<string, number> = { USD: 2, EUR: 2, GBP: 2, JPY: 0, KWD: 3 }
const digits = (currency: string) => DIGITS[currency] as number
const amount = (cents: number, currency: string) => cents / 10 ** digits(currency)

/** Divides and rounds half up, in integer arithmetic. */
function quotient(a: number, b: number, digits: number): number {
  if (b === 0) return 0
  const scaled = (2n * BigInt(a) * 10n ** BigInt(digits) + BigInt(b)) / (2n * BigInt(b))
  return Number(scaled) / 10 ** digits
}

function trend(now: number, before: number) {
  if (now === before) return { trend: 0, trendDirection: "stable" }
  if (before === 0) return { trend: 100, trendDirection: "up" }
  return {
    trend: quotient(Math.abs(now - before) * 100, before, 1),
    trendDirection: now > before ? "up" : "down",
  }
}
