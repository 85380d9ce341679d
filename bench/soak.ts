import { bodies } from "./bodies"
import { booksOf, checkBooks } from "./books"
import { catchUp, lagSeconds } from "./lag"
import { pace } from "./pace"
import { usage } from "./processes"
import { setScene } from "./scene"
import { medianOf } from "./speed"
import { type System, startSystem } from "./system"

const LAG_SECONDS_MAX = 5
const SHARE = 0.7
const GROWTH_MAX = 1.1 // last minute against the third
const STEP_SECONDS = 15
const STEPS = 6
const LOOK_EVERY_MS = 2_000

type Say = (what: string) => void
type Memory = Record<string, number> // in bytes, by part

/**
 * So many minutes of clicks at 70 % of the rate at which reporting stays less than 5 s behind. No
 * error, and no process that grows: the exit code says so.
 */
export async function soak(minutes: number, say: Say): Promise<number> {
  const system = await startSystem()
  try {
    const scene = await setScene(system, 1_000)
    const file = await bodies(system, scene).clicks(1_000)
    const rate = SHARE * (await sustainableRate(system, file, say))
    const memory: Memory[] = []
    const lags: number[] = []
    const before = await booksOf(system, scene)
    let [answered, errors] = [0, 0]

    for (let minute = 1; minute <= minutes; minute++) {
      const { result: paced, held } = await memoryDuring(system, () =>
        pace(system.url, file, rate, 60),
      )
      answered += paced.answered
      errors += paced.errors
      memory.push(held)
      lags.push(await lagSeconds(system))
      say(`minute ${minute}: ${paced.answered} clicks, ${paced.errors} errors, ${told(held)}`)
    }
    await catchUp(system)
    checkBooks(await booksOf(system, scene), before.clicks + answered, errors)
    return judge(rate, errors, lags, memory, say)
  } finally {
    await system.stop()
  }
}

/**
 * The median of what each part has while `work` is done: what it frees goes back to the machine
 * seconds later, and two moments would say more of that than of growth.
 */
async function memoryDuring<Result>({ data_dir }: System, work: () => Promise<Result>) {
  const looks = new Map<string, number[]>()
  let is_done = false
  const watch = async () => {
    while (!is_done) {
      for (const [part, { rss_bytes }] of Object.entries(usage(data_dir))) {
        looks.set(part, [...(looks.get(part) ?? []), rss_bytes])
      }
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }
  const watching = watch()
  const result = await work().finally(() => {
    is_done = true
  })
  await watching
  const held: Memory = Object.fromEntries(
    Array.from(looks, ([part, bytes]) => [part, medianOf(bytes)]),
  )
  return { result, held }
}

/** By halving: the highest rate at which the lag stays below its bound. */
async function sustainableRate(system: System, file: string, say: Say): Promise<number> {
  const top = await pace(system.url, file, Infinity, STEP_SECONDS)
  await catchUp(system)
  let [good, bad] = [0, top.answered / STEP_SECONDS]
  for (let step = 0; step < STEPS; step++) {
    const rate = step === 0 ? bad * 0.9 : (good + bad) / 2
    const { answered, errors } = await pace(system.url, file, rate, STEP_SECONDS)
    const lag = await lagSeconds(system)
    const holds = lag < LAG_SECONDS_MAX && errors === 0 && answered > rate * STEP_SECONDS * 0.95
    say(`${Math.round(rate)}/s: lag ${lag.toFixed(1)} s, ${errors} errors`)
    if (holds) good = rate
    else bad = rate
    await catchUp(system)
  }
  if (good === 0) throw new Error("No rate was found at which reporting keeps up.")
  return good
}

function judge(rate: number, errors: number, lags: number[], memory: Memory[], say: Say): number {
  const third = memory[Math.min(2, memory.length - 1)] as Memory
  const last = memory.at(-1) as Memory
  const grown = Object.keys(last).filter(part => last[part]! > GROWTH_MAX * (third[part] ?? 0))
  say(`${Math.round(rate)} clicks a second, ${errors} errors, lag at most ${Math.max(...lags)} s`)
  say(grown.length > 0 ? `grew by more than a tenth: ${grown.join(", ")}` : "nothing grew")
  return errors + grown.length > 0 ? 1 : 0
}

const told = (memory: Memory) =>
  Object.entries(memory)
    .map(([part, bytes]) => `${part} ${Math.round(bytes / 2 ** 20)} MB`)
    .join(", ")
