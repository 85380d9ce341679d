import { config } from "../../lib/config"
import { type Database, database } from "../../lib/db"

const { reporting_read_database_url: address } = config

/**
 * Plans are made once: over the months of events, planning takes longer than reading a page. All of
 * its statements go by an index, whatever they ask for.
 */
const settings = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" }

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
