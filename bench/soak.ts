import { bodies } from "./bodies"
import { checkBooks, readBooks } from "./books"
import { lagSeconds, waitForCatchUp } from "./lag"
import { pace } from "./pace"
import { usage } from "./processes"
import { createScene } from "./scene"
import { medianOf } from "./speed"
import { type System, startSystem } from "./system"

const LAG_SECONDS_MAX = 5
const RATE_SHARE = 0.7
const GROWTH_MAX = 1.1 // the last minute compared with the third
const STEP_SECONDS = 15
const STEPS = 6
const POLL_INTERVAL_MS = 2_000

type Log = (message: string) => void
type Memory = Record<string, number> // in bytes, by part

/**
 * Sends clicks for so many minutes at 70 % of the rate at which reporting is less than 5 s behind.
 * Returns the exit code: 0 if there was no error and no process grew, otherwise 1.
 */
export async function soak(minutes: number, log: Log): Promise<number> {
  const system = await startSystem()
  try {
    const scene = await createScene(system, 1_000)
    const file = await bodies(system, scene).clicks(1_000)
    const rate = RATE_SHARE * (await sustainableRate(system, file, log))
    const memory: Memory[] = []
    const lags: number[] = []
    const before = await readBooks(system, scene)
    let [answered, errors] = [0, 0]

    for (let minute = 1; minute <= minutes; minute++) {
      const { result: paced, memory: memoryNow } = await memoryDuring(system, () =>
        pace(system.url, file, rate, 60),
      )
      answered += paced.answered
      errors += paced.errors
      memory.push(memoryNow)
      lags.push(await lagSeconds(system))
      log(
        `minute ${minute}: ${paced.answered} clicks, ${paced.errors} errors, ${formatMemory(memoryNow)}`,
      )
    }
    await waitForCatchUp(system)
    checkBooks(await readBooks(system, scene), before.clicks + answered, errors)
    return evaluate(rate, errors, lags, memory, log)
  } finally {
    await system.stop()
  }
}

/**
 * Runs `work`, and returns each part's median memory meanwhile. Freed memory goes back to the
 * machine seconds later, so two single readings would show that rather than growth.
 */
async function memoryDuring<Result>({ dataDir }: System, work: () => Promise<Result>) {
  const readings = new Map<string, number[]>()
  let isDone = false
  const watch = async () => {
    while (!isDone) {
      for (const [part, { rss_bytes }] of Object.entries(usage(dataDir))) {
        readings.set(part, [...(readings.get(part) ?? []), rss_bytes])
      }
      await Bun.sleep(POLL_INTERVAL_MS)
    }
  }
  const watching = watch()
  const result = await work().finally(() => {
    isDone = true
  })
  await watching
  const memory: Memory = Object.fromEntries(
    Array.from(readings, ([part, bytes]) => [part, medianOf(bytes)]),
  )
  return { result, memory }
}

/** Finds by bisection the highest rate at which the lag stays below its bound. */
async function sustainableRate(system: System, file: string, log: Log): Promise<number> {
  const top = await pace(system.url, file, Infinity, STEP_SECONDS)
  await waitForCatchUp(system)
  let [good, bad] = [0, top.answered / STEP_SECONDS]
  for (let step = 0; step < STEPS; step++) {
    const rate = step === 0 ? bad * 0.9 : (good + bad) / 2
    const { answered, errors } = await pace(system.url, file, rate, STEP_SECONDS)
    const lag = await lagSeconds(system)
    const keepsUp = lag < LAG_SECONDS_MAX && errors === 0 && answered > rate * STEP_SECONDS * 0.95
    log(`${Math.round(rate)}/s: lag ${lag.toFixed(1)} s, ${errors} errors`)
    if (keepsUp) good = rate
    else bad = rate
    await waitForCatchUp(system)
  }
  if (good === 0) throw new Error("Reporting did not keep up at any of the rates tried.")
  return good
}

function evaluate(
  rate: number,
  errors: number,
  lags: number[],
  memory: Memory[],
  log: Log,
): number {
  const third = memory[Math.min(2, memory.length - 1)] as Memory
  const last = memory.at(-1) as Memory
  const grown = Object.keys(last).filter(part => last[part]! > GROWTH_MAX * (third[part] ?? 0))
  log(`${Math.round(rate)} clicks per second, ${errors} errors, lag at most ${Math.max(...lags)} s`)
  log(
    grown.length > 0 ? `memory grew by more than a tenth: ${grown.join(", ")}` : "no process grew",
  )
  return errors + grown.length > 0 ? 1 : 0
}

const formatMemory = (memory: Memory) =>
  Object.entries(memory)
    .map(([part, bytes]) => `${part} ${Math.round(bytes / 2 ** 20)} MB`)
    .join(", ")
