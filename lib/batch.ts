import { Gauge, Histogram } from "prom-client"
import { asFault, Fault, isLockedOut, unanswered } from "./fault"
import { timings } from "./metrics"
import { currentContext, type RequestContext, withContext } from "./request-context"

const SIZE_MAX = 200
const QUEUE_MAX = 10_000
const ENOUGH = 16 // to be worth a batch: more save little

const sizes = new Histogram({
  name: "tributary_batch_size",
  help: "What was done together by one statement: so many clicks, leads, sales and so on.",
  labelNames: ["batch"],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
})
const tookBatch = timings("tributary_batch_duration_seconds", "Doing one batch.", ["batch"])
const depths = new Map<string, () => number>()
new Gauge({
  name: "tributary_batch_queue_depth",
  help: "What waits to be done, the batch under way included.",
  labelNames: ["batch"],
  collect() {
    for (const [batch, depth] of depths) this.set({ batch }, depth())
  },
})

/**
 * How time passes for batches, as a simulation decides in its own way: `begin` begins one, and
 * resolves when the next may begin; `pause` lets more gather for it.
 */
export const batches = {
  begin: (work: () => Promise<void>) => work(),
  pause: (ms: number) => Bun.sleep(ms),
}

type Waiting<Asked, Answer> = PromiseWithResolvers<Answer> & {
  asked: Asked
  errand: RequestContext
}

/**
 * Does together what is asked for while the batch before is under way, as the database then does
 * for many what it would do for each. What comes alone is done at once, unless the batch before had
 * company: then the next one gathers. It begins once as many wait as were there at that one's end,
 * those in it included, or enough do, but at the latest `apart_ms` after that one began. So the few
 * who ask again and again, as they are answered, do not wait for others; and of the many who ask
 * once each, more come along. `work` answers all of a batch in their order, or none. A batch that
 * fails is tried in halves, so that only what fails by itself does. "unavailable": it is in doubt,
 * or was not begun because too many wait. Metrics know the batches by `name`.
 */
export function inBatches<Asked, Answer>(
  name: string,
  work: (batch: Asked[]) => Promise<Answer[]>,
  { size_max = SIZE_MAX, apart_ms = 0 } = {},
): (asked: Asked) => Promise<Answer> {
  const queue: Waiting<Asked, Answer>[] = []
  let isWorking = false
  let underway = 0
  let gathering = { awaited: Infinity, ...Promise.withResolvers<void>() }
  depths.set(name, () => queue.length + underway)

  async function ask(asked: Asked): Promise<Answer> {
    if (queue.length >= QUEUE_MAX) throw tooMany()
    const waiting = { asked, errand: currentContext(), ...Promise.withResolvers<Answer>() }
    queue.push(waiting)
    if (!isWorking) workOff()
    if (queue.length >= gathering.awaited) gathering.resolve()
    return waiting.promise
  }

  async function workOff() {
    isWorking = true
    await null // what is asked in the same turn comes along
    while (queue.length > 0) {
      const batch = withoutLate(queue.splice(0, size_max))
      const [first] = batch
      underway = batch.length
      if (!first) continue
      // It is done on the errand of one of them: a statement belongs to one trace.
      const settleAll = () => withContext(first.errand, () => settle(batch))
      const began = performance.now()
      await batches.begin(settleAll)
      underway = 0
      const there = batch.length + queue.length
      if (batch.length > 1) await gather(there, began + apart_ms - performance.now())
    }
    isWorking = false
  }

  async function gather(there: number, left_ms: number) {
    const awaited = Math.min(there, ENOUGH)
    if (left_ms <= 0 || queue.length >= awaited) return
    gathering = { awaited, ...Promise.withResolvers() }
    await Promise.race([batches.pause(left_ms), gathering.promise])
  }

  /** Never rejects: each hears of its own fate. */
  async function settle(batch: Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await watched(batch.map(({ asked }) => asked))
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!)
    } catch (error) {
      if (batch.length > 1 && isUndone(error)) return settleHalves(batch)
      for (const { reject } of batch) reject(error)
    }
  }

  async function watched(batch: Asked[]): Promise<Answer[]> {
    const began = performance.now()
    const answers = await work(batch)
    sizes.observe({ batch: name }, batch.length)
    tookBatch(began, { batch: name })
    return answers
  }

  /** One that the database refuses, or that waits for a lock, must not take the others along. */
  async function settleHalves(batch: Waiting<Asked, Answer>[]) {
    const awaited = withoutLate(batch) // finding out takes its time
    const middle = awaited.length >> 1
    if (middle > 0) await settle(awaited.slice(0, middle))
    if (awaited.length > 0) await settle(awaited.slice(middle))
  }

  return ask
}

/** What waited until its caller had gone is not done: it would cost the time of the others. */
function withoutLate<Asked, Answer>(batch: Waiting<Asked, Answer>[]): Waiting<Asked, Answer>[] {
  const now = Date.now()
  for (const { errand, reject } of batch) if (now > errand.deadline) reject(unanswered())
  return batch.filter(({ errand }) => now <= errand.deadline)
}

/** Whether nothing can have come of it. */
const isUndone = (error: unknown) => asFault(error).kind !== "unavailable" || isLockedOut(error)

const tooMany = () => new Fault("unavailable", "Too many at once: try again.")
