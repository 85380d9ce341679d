import { database } from "../../lib/db"

/**
 * Plans are made once: over the months of events, planning takes longer than reading a page. All of
 * its statements go by an index, whatever they ask for. No commit waits for the disk: what a crash
 * takes back, the cursors along with it, is read from the feeds once more.
 */
export const sql = database("reporting", {
  settings: {
    plan_cache_mode: "force_generic_plan",
    enable_seqscan: "off",
    synchronous_commit: "off",
  },
})
