import { gauge } from "../../../lib/metrics"
import { sql } from "../db"

const COUNT_MAX = 10_000

/**
 * Creates the coming monthly partitions of clicks, and moves clicks of the default partition into
 * their month. Serving must not wait for this: without a partition, clicks are stored in the
 * default one. Throws if a session holds a lock on it.
 */
export const ensurePartitions = () =>
  sql.begin(async sql => {
    await sql`set local statement_timeout = '10min'` // it may move many clicks
    await sql`set local lock_timeout = '500ms'` // readers queue behind this lock: fail early
    await sql`select ensure_click_partitions()`
  })

/** Registers the gauge of clicks whose month has no partition. */
export const registerPartitionMetrics = () =>
  gauge(
    "tributary_clicks_in_default_partition",
    `Clicks stored in the default partition, because their month had none; at most ${COUNT_MAX}.`,
    async () => {
      const [{ clicks }] = await sql<[{ clicks: number }]>`
        select count(*) as clicks
        from (select from affiliate_click_events_other limit ${COUNT_MAX}) as misplaced
      `
      return clicks
    },
  )
