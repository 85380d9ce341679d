import { bodies } from "./bodies"
import { booksOf, checkBooks } from "./books"
import { catchUp, lagSeconds } from "./lag"
import { pace } from "./pace"
import { type Use, usage } from "./processes"
import { setScene } from "./scene"
import { type System, startSystem } from "./system"

const LAG_SECONDS_MAX = 5
const SHARE = 0.7
const GROWTH_MAX = 1.1 // last minute against the third
const STEP_SECONDS = 15
const STEPS = 6

type Say = (what: string) => void

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
    const memory: Record<string, Use>[] = []
    const lags: number[] = []
    const before = await booksOf(system, scene)
    let [answered, errors] = [0, 0]

    for (let minute = 1; minute <= minutes; minute++) {
      const paced = await pace(system.url, file, rate, 60)
      answered += paced.answered
      errors += paced.errors
      memory.push(usage(system.data_dir))
      lags.push(await lagSeconds(system))
      say(
        `minute ${minute}: ${paced.answered} clicks, ${paced.errors} errors, ${told(memory.at(-1)!)}`,
      )
    }
    await catchUp(system)
    checkBooks(await booksOf(system, scene), before.clicks + answered, errors)
    return judge(rate, errors, lags, memory, say)
  } finally {
    await system.stop()
  }
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

function judge(
  rate: number,
  errors: number,
  lags: number[],
  memory: Record<string, Use>[],
  say: Say,
): number {
  const third = memory[Math.min(2, memory.length - 1)] as Record<string, Use>
  const last = memory.at(-1) as Record<string, Use>
  const grown = Object.keys(last).filter(
    name => last[name]!.rss_bytes > GROWTH_MAX * (third[name]?.rss_bytes ?? 0),
  )
  say(`${Math.round(rate)} clicks a second, ${errors} errors, lag at most ${Math.max(...lags)} s`)
  say(grown.length > 0 ? `grew by more than a tenth: ${grown.join(", ")}` : "nothing grew")
  return errors + grown.length > 0 ? 1 : 0
}

const told = (memory: Record<string, Use>) =>
  Object.entries(memory)
    .map(([name, { rss_bytes }]) => `${name} ${Math.round(rss_bytes / 2 ** 20)} MB`)
    .join(", ")
