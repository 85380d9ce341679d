import { config } from "../../lib/config"
import type { Database } from "../../lib/db/database"
import { database } from "../../lib/db/pool"

const { reporting_read_database_url: address } = config

/**
 * Plans are made once: over the months of events, planning takes longer than reading a page. All of
 * its statements go by an index, whatever they ask for. To start parallel workers takes ten times as
 * long as most of them, and a plan that knows no values expects too much.
 */
const settings = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  max_parallel_workers_per_gather: "0",
}

/**
 * No commit waits for the disk: what a crash takes back, the cursors along with it, is read from
 * the feeds once more. But a standby has what is on the disk alone.
 */
export const sql = database("reporting", {
  settings: { ...settings, synchronous_commit: address ? "on" : "off" },
})

/** A standby of it. Null: there is none. */
export const standby_sql: Database | null = address
  ? database("reporting", { pool: "reporting_standby", address, settings })
  : null
