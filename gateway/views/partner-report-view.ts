import { type Static, Type } from "@sinclair/typebox"
import { BreakdownRow, Performance } from "../../services/reporting/contract"
import { Freshness } from "./report-view"

/**
 * What reports show to a partner: their part of the program's numbers, without revenue and what is
 * derived from it (behaviour 17.10.1).
 */
const { data, metrics, meta } = Performance.properties
const OtherCurrency = Type.Omit(meta.properties.otherCurrencies.items, ["revenue"])
const otherCurrencies = Type.Array(OtherCurrency)

export const PartnerMetrics = Type.Omit(metrics, [
  ...(["totalRevenue", "averageOrderValue", "revenueTrend"] as const),
  ...(["totalPartners", "partnersTrend"] as const),
])

export const PartnerReportMeta = Type.Object({ ...meta.properties, otherCurrencies, ...Freshness })

export const PartnerPerformance = Type.Object({
  data: Type.Array(Type.Omit(data.items, ["revenue", "partners", "sales"])),
  metrics: PartnerMetrics,
  meta: PartnerReportMeta,
})

export const PartnerBreakdownRow = Type.Object({
  ...Type.Omit(BreakdownRow, ["revenue"]).properties,
  otherCurrencies,
})

export const partnerPerformanceView = ({ data, metrics, meta }: Performance) => ({
  data: data.map(({ revenue, partners, sales, ...day }) => day),
  metrics: metricsOf(metrics),
  meta: { ...meta, otherCurrencies: withoutRevenue(meta.otherCurrencies) },
})

export const partnerBreakdownRow = ({ revenue, otherCurrencies, ...row }: BreakdownRow) => ({
  ...row,
  otherCurrencies: withoutRevenue(otherCurrencies),
})

function metricsOf({
  totalRevenue,
  averageOrderValue,
  revenueTrend,
  totalPartners,
  partnersTrend,
  ...metrics
}: Performance["metrics"]): Static<typeof PartnerMetrics> {
  return metrics
}

/** A currency in which the partner earned nothing is left out. */
const withoutRevenue = (currencies: Performance["meta"]["otherCurrencies"]) =>
  currencies
    .filter(({ commission }) => commission > 0)
    .map(({ currency, commission }) => ({ currency, commission }))
