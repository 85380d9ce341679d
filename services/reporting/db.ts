import { config } from "../../lib/config"
import type { Database } from "../../lib/db/database"
import { database } from "../../lib/db/pool"

const { reporting_read_database_url: address } = config

/**
 * Generic plans, because planning over the monthly partitions takes longer than reading a page. No
 * sequential scans, because every statement has an index. No parallel workers, because generic
 * plans overestimate rows, and starting workers takes ten times as long as most statements.
 */
const settings = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  max_parallel_workers_per_gather: "0",
}

/**
 * Commits do not wait for the disk: a crash takes rows and cursors back together, and the feeds are
 * read again from there. With a standby they do wait, since it replays only what is on disk.
 */
export const sql = database("reporting", {
  settings: { ...settings, synchronous_commit: address ? "on" : "off" },
})

/** The pool of reporting's standby. Null: there is none. */
export const standby_sql: Database | null = address
  ? database("reporting", { pool: "reporting_standby", address, settings })
  : null
