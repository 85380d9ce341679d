import { gauge } from "../../../lib/metrics"
import { sql } from "../db"

/** Counts, when Prometheus asks, what waits to be done. */
export function tellBacklog() {
  gauge("tributary_sales_pending", "Sales that are stored and not complete yet.", async () => {
    const [{ sales }] = await sql<[{ sales: number }]>`
      select count(*) as sales
      from affiliate_sale_events
      where state = 'pending'
    `
    return sales
  })

  gauge(
    "tributary_sales_pending_oldest_seconds",
    "The age of the oldest sale that is not complete yet; 0 if there is none.",
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
    "Events of the payment processor that are to be applied yet, those aside that rest until the " +
      "sale of their refund comes.",
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
