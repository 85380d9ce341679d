import { gauge } from "../../../lib/metrics"
import { sql } from "../db"

/** Registers the gauge of unpublished events. It queries the database on each scrape. */
export const registerUnpublishedMetrics = () =>
  gauge(
    "tributary_events_unpublished_oldest_seconds",
    "Age of the oldest event that is stored but not published yet; 0 if there is none.",
    async () => {
      const [{ seconds }] = await sql<[{ seconds: number }]>`
        select coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds
        from events
        where published_at is null
      `
      return seconds
    },
  )
