import { Gauge, Histogram } from "prom-client"
import { inBatches } from "../../lib/batch"
import { raced } from "../../lib/db"
import { timings } from "../../lib/metrics"
import type { NewClick } from "./asked-clicks"
import { insertClicks, type StoredClick } from "./insert-clicks"

const BATCH_MAX_CLICKS = 500

const sizes = new Histogram({
  name: "tributary_click_batch_clicks",
  help: "Clicks that were stored by one statement.",
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, BATCH_MAX_CLICKS],
})
const tookBatch = timings("tributary_click_batch_duration_seconds", "Storing one batch.", [])
new Gauge({
  name: "tributary_click_queue_depth",
  help: "Clicks that wait to be stored, those of the batch under way among them.",
  collect() {
    this.set(waiting)
  },
})
let waiting = 0

/**
 * Stores a click in one transaction with those that came while the last one was under way. Resolves
 * after the commit.
 */
export async function storeClick(click: NewClick): Promise<StoredClick> {
  waiting++
  try {
    return await storeTogether(click)
  } finally {
    waiting--
  }
}

const storeTogether = inBatches(async (clicks: NewClick[]) => {
  const began = performance.now()
  const stored = await raced(() => insertClicks(clicks))
  sizes.observe(clicks.length)
  tookBatch(began, {})
  return stored
}, BATCH_MAX_CLICKS)
