import { Gauge, Histogram } from "prom-client"
import { asFault, Fault, isLockTimeout, unavailable } from "./fault"
import { timings } from "./metrics"
import { currentContext, type RequestContext, withContext } from "./request-context"

const SIZE_MAX = 200
const QUEUE_MAX = 10_000
const FULL_ENOUGH = 16 // waiting for a larger batch saves little

const sizes = new Histogram({
  name: "tributary_batch_size",
  help: "Items that one statement processed together, such as clicks, leads or sales.",
  labelNames: ["batch"],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
})
const observeDuration = timings("tributary_batch_duration_seconds", "Time to process one batch.", [
  "batch",
])
const depths = new Map<string, () => number>()
new Gauge({
  name: "tributary_batch_queue_depth",
  help: "Items waiting for a batch, including the batch in progress.",
  labelNames: ["batch"],
  collect() {
    for (const [batch, depth] of depths) this.set({ batch }, depth())
  },
})

/**
 * When batches run. A simulation replaces both functions. `begin` starts a batch and resolves when
 * the next one may start; `pause` waits while more items gather.
 */
export const batchScheduler = {
  begin: (work: () => Promise<void>) => work(),
  pause: (ms: number) => Bun.sleep(ms),
}

type Pending<Input, Output> = PromiseWithResolvers<Output> & {
  input: Input
  context: RequestContext
}

/**
 * Returns a function that processes its inputs in batches: inputs that arrive while a batch is in
 * progress form the next one, which the database handles almost as fast as a single input.
 *
 * A single input starts at once, unless the batch before it held several. After such a batch the
 * next one waits until as many inputs have gathered as that batch and the queue held at its end, or
 * FULL_ENOUGH, but at most until `spacingMs` after its start. A few clients that each send again
 * after a reply are therefore not delayed, while many independent clients share larger batches.
 *
 * `work` returns one output per input in the same order, or throws. A failed batch is split in
 * halves and retried, so that only the inputs at fault fail. Faults: unavailable (the outcome is
 * unknown, or the queue is full). `name` labels the batches in metrics.
 */
export function inBatches<Input, Output>(
  name: string,
  work: (batch: Input[]) => Promise<Output[]>,
  { sizeMax = SIZE_MAX, spacingMs = 0 } = {},
): (input: Input) => Promise<Output> {
  const queue: Pending<Input, Output>[] = []
  let isWorking = false
  let inProgress = 0
  let gathering = { target: Infinity, ...Promise.withResolvers<void>() }
  depths.set(name, () => queue.length + inProgress)

  async function add(input: Input): Promise<Output> {
    if (queue.length >= QUEUE_MAX) throw queueFull()
    const pending = { input, context: currentContext(), ...Promise.withResolvers<Output>() }
    queue.push(pending)
    if (!isWorking) workOff()
    if (queue.length >= gathering.target) gathering.resolve()
    return pending.promise
  }

  async function workOff() {
    isWorking = true
    await null // inputs of the same event loop turn share the batch
    while (queue.length > 0) {
      const batch = dropExpired(queue.splice(0, sizeMax))
      const [first] = batch
      inProgress = batch.length
      if (!first) continue
      // A statement belongs to one trace, so the batch runs in the context of its first input.
      const runBatch = () => withContext(first.context, () => settle(batch))
      const began = performance.now()
      await batchScheduler.begin(runBatch)
      inProgress = 0
      const present = batch.length + queue.length
      if (batch.length > 1) await gather(present, began + spacingMs - performance.now())
    }
    isWorking = false
  }

  async function gather(present: number, remainingMs: number) {
    const target = Math.min(present, FULL_ENOUGH)
    if (remainingMs <= 0 || queue.length >= target) return
    gathering = { target, ...Promise.withResolvers() }
    await Promise.race([batchScheduler.pause(remainingMs), gathering.promise])
  }

  /** Resolves or rejects every input of the batch. Never rejects itself. */
  async function settle(batch: Pending<Input, Output>[]): Promise<void> {
    try {
      const outputs = await measured(batch.map(({ input }) => input))
      for (const [i, { resolve }] of batch.entries()) resolve(outputs[i]!)
    } catch (error) {
      if (batch.length > 1 && hasNoEffect(error)) return settleHalves(batch)
      for (const { reject } of batch) reject(error)
    }
  }

  async function measured(batch: Input[]): Promise<Output[]> {
    const began = performance.now()
    const outputs = await work(batch)
    sizes.observe({ batch: name }, batch.length)
    observeDuration(began, { batch: name })
    return outputs
  }

  /** Isolates an input that the database refuses or that waits for a lock. */
  async function settleHalves(batch: Pending<Input, Output>[]) {
    const remaining = dropExpired(batch) // the failed attempt took time
    const middle = remaining.length >> 1
    if (middle > 0) await settle(remaining.slice(0, middle))
    if (remaining.length > 0) await settle(remaining.slice(middle))
  }

  return add
}

/** Rejects inputs past their deadline: their callers have left, and others would wait for them. */
function dropExpired<Input, Output>(batch: Pending<Input, Output>[]): Pending<Input, Output>[] {
  const now = Date.now()
  for (const { context, reject } of batch) if (now > context.deadline) reject(unavailable())
  return batch.filter(({ context }) => now <= context.deadline)
}

/** Whether the failed batch certainly wrote nothing. */
const hasNoEffect = (error: unknown) =>
  asFault(error).kind !== "unavailable" || isLockTimeout(error)

const queueFull = () => new Fault("unavailable", "Too many requests at once. Try again.")
