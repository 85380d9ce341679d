import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { MUTATIONS, mutate } from "./simulation/mutations"
import { throwawayPostgres } from "./simulation/postgres"

const PROGRESS_MS = 10_000
const USAGE = "npm run simulate -- [--seeds 200] [--from 1] [--mutation NAME] [--trace]"

const { seeds, from, mutation, trace } = parseOrUsage(USAGE, asked)
process.env.NATS_URL = ""
process.env.LOG_LEVEL = "silent" // it is made of failures
if (trace) Object.assign(process.env, { TRACE: "on", LOG_LEVEL: "error" })

const server = await throwawayPostgres()
process.env.DATABASE_URL = server.url
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => server.stop().finally(() => process.exit(1)))
}
try {
  process.exitCode = (await play()) ? 0 : 1
} finally {
  await server.stop()
}
process.exit()

/** Plays one seed after the other until one fails. */
async function play(): Promise<boolean> {
  const { makeWorld } = await import("./simulation/world")
  const playSeed = await makeWorld(server.url)
  if (mutation) await server.superuser.unsafe(mutate(mutation)).simple()

  const began = Date.now()
  const seconds = () => ((Date.now() - began) / 1_000).toFixed(1)
  let told = began
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations, digest } = await playSeed(seed, server.superuser)
    if (violations.length > 0) {
      console.log(`Seed ${seed} fails after ${seconds()} s (history ${digest}):`)
      for (const violation of violations) console.log(`  ${violation}`)
      console.log(`It replays with: npm run simulate -- --seeds 1 --from ${seed}${again()} --trace`)
      return false
    }
    if (seeds === 1) console.log(`Seed ${seed} holds (history ${digest}).`)
    if (Date.now() - told < PROGRESS_MS) continue
    told = Date.now()
    console.log(`${seed - from + 1} of ${seeds} seeds hold so far, ${seconds()} s`)
  }
  console.log(`${seeds} seeds from ${from} hold: no promise was broken in ${seconds()} s.`)
  return true
}

function again(): string {
  return mutation ? ` --mutation ${JSON.stringify(mutation)}` : ""
}

function asked() {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "200" },
      from: { type: "string", default: "1" },
      mutation: { type: "string" },
      trace: { type: "boolean", default: false },
    },
  })
  const [seeds, from] = [Number(values.seeds), Number(values.from)]
  if (!(seeds >= 1 && from >= 0)) throw new Error("--seeds and --from take numbers.")
  if (values.mutation && !MUTATIONS[values.mutation]) {
    throw new Error(`NAME is one of:\n  ${Object.keys(MUTATIONS).join("\n  ")}`)
  }
  return { ...values, seeds, from }
}
