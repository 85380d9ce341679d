import { gauge } from "../../../lib/metrics"
import { sql } from "../db"

/** Registers gauges of pending work. They query the database on each scrape. */
export function registerBacklogMetrics() {
  gauge("tributary_sales_pending", "Sales that are stored but not yet complete.", async () => {
    const [{ sales }] = await sql<[{ sales: number }]>`
      select count(*) as sales
      from affiliate_sale_events
      where state = 'pending'
    `
    return sales
  })

  gauge(
    "tributary_sales_pending_oldest_seconds",
    "Age of the oldest sale that is not yet complete; 0 if there is none.",
    async () => {
      const [{ seconds }] = await sql<[{ seconds: number }]>`
        select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
        from affiliate_sale_events
        where state = 'pending'
      `
      return seconds
    },
  )

  gauge(
    "tributary_processor_events_waiting",
    "Payment processor events waiting to be applied, not counting refunds that rest until their " +
      "sale is stored.",
    async () => {
      const [{ events }] = await sql<[{ events: number }]>`
        select count(*) as events
        from processor_events
        where state = 'waiting' and try_after < 'infinity'
      `
      return events
    },
  )
}
