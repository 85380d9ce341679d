import { Gauge, Histogram } from "prom-client"
import { raced } from "../../lib/db"
import { currentErrand, type Errand, onErrand } from "../../lib/errand"
import { asFault, Fault } from "../../lib/fault"
import { timings } from "../../lib/metrics"
import type { NewClick } from "./asked-clicks"
import { insertClicks, type StoredClick } from "./insert-clicks"

const BATCH_MAX_CLICKS = 500
const QUEUE_MAX_CLICKS = 10_000
const WAIT_MAX_MS = 1_000 // whoever asked has gone by then

type Waiting = PromiseWithResolvers<StoredClick> & {
  click: NewClick
  errand: Errand
  since: number
}

const queue: Waiting[] = []

new Gauge({
  name: "tributary_click_queue_depth",
  help: "Clicks that wait for the batch under way.",
  collect() {
    this.set(queue.length)
  },
})
const sizes = new Histogram({
  name: "tributary_click_batch_clicks",
  help: "Clicks that were stored by one statement.",
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, BATCH_MAX_CLICKS],
})
const tookBatch = timings("tributary_click_batch_duration_seconds", "Storing one batch.", [])
let isWriting = false

/**
 * Stores a click in one transaction with those that came while the last one was under way: no
 * timer, so a click alone is stored at once. Resolves after the commit. Throws "unavailable": then
 * it is in doubt, or was never stored because the database is too slow for all that come.
 */
export async function storeClick(click: NewClick): Promise<StoredClick> {
  if (queue.length >= QUEUE_MAX_CLICKS) throw tooMany()
  const errand = currentErrand()
  const since = performance.now()
  const waiting = { click, errand, since, ...Promise.withResolvers<StoredClick>() }
  queue.push(waiting)
  if (!isWriting) write()
  return waiting.promise
}

async function write() {
  isWriting = true
  await null // clicks of the same turn come along
  for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
    await onErrand(batch[0]!.errand, () => settle(batch)) // logs and traces know one of them
  }
  isWriting = false
}

function nextBatch(): Waiting[] {
  giveUpOld()
  return queue.splice(0, BATCH_MAX_CLICKS)
}

/** Those at the front. To store them would cost the time of those that somebody still waits for. */
function giveUpOld() {
  const oldest = performance.now() - WAIT_MAX_MS
  const old = queue.findIndex(({ since }) => since >= oldest)
  for (const { reject } of queue.splice(0, old === -1 ? queue.length : old)) reject(tooMany())
}

/** Never rejects: each click hears of its own fate. */
async function settle(batch: Waiting[]): Promise<void> {
  const began = performance.now()
  try {
    const stored = await raced(() => insertClicks(batch.map(({ click }) => click)))
    sizes.observe(batch.length)
    tookBatch(began, {})
    for (const [i, { resolve }] of batch.entries()) resolve(stored[i]!)
  } catch (error) {
    if (batch.length > 1 && asFault(error).kind !== "unavailable") return settleHalves(batch)
    for (const { reject } of batch) reject(error)
  }
}

/** One click that the database refuses must not take the others along. */
async function settleHalves(batch: Waiting[]) {
  const middle = batch.length >> 1
  await settle(batch.slice(0, middle))
  await settle(batch.slice(middle))
}

const tooMany = () => new Fault("unavailable", "Too many clicks at once: try again.")
