import { gauge } from "../../../lib/metrics"
import { sql } from "../db"
import { mailTarget } from "./outbox"

/** Registers the gauge of mails that wait. It queries the database on each scrape. */
export function registerMailMetrics() {
  gauge(
    "tributary_mails_waiting_oldest_seconds",
    "Age of the oldest mail that is not sent yet; 0 if there is none, or no mail server.",
    async () => {
      if (mailTarget() === null) return 0
      const [{ seconds }] = await sql<[{ seconds: number }]>`
        select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
        from mails
        where status = 'queued'
      `
      return seconds
    },
  )
}
