import { parseArgs } from "node:util"
import { parseOrUsage } from "../support/usage"
import { applyMutation, MUTATIONS } from "./simulation/mutations"
import { throwawayPostgres } from "./simulation/postgres"

const PROGRESS_MS = 10_000
const USAGE = "npm run simulate -- [--seeds 200] [--from 1] [--mutation NAME] [--trace]"

const { seeds, from, mutation, trace } = parseOrUsage(USAGE, readOptions)
process.env.NATS_URL = ""
process.env.LOG_LEVEL = "silent" // failures are the rule here
if (trace) Object.assign(process.env, { TRACE: "on", LOG_LEVEL: "error" })

const server = await throwawayPostgres()
process.env.DATABASE_URL = server.url
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => server.stop().finally(() => process.exit(1)))
}
try {
  process.exitCode = (await playSeeds()) ? 0 : 1
} finally {
  await server.stop()
}
process.exit()

/** Plays one seed after the other. Stops at the first that fails and returns false. */
async function playSeeds(): Promise<boolean> {
  const { makeWorld } = await import("./simulation/world")
  const playSeed = await makeWorld(server.url)
  if (mutation) await server.superuser.unsafe(applyMutation(mutation)).simple()

  const startedAt = Date.now()
  const seconds = () => ((Date.now() - startedAt) / 1_000).toFixed(1)
  let reportedAt = startedAt
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations, digest } = await playSeed(seed, server.superuser)
    if (violations.length > 0) {
      console.log(`Seed ${seed} fails after ${seconds()} s (history ${digest}):`)
      for (const violation of violations) console.log(`  ${violation}`)
      console.log(`Replay: npm run simulate -- --seeds 1 --from ${seed}${mutationOption()} --trace`)
      return false
    }
    if (seeds === 1) console.log(`Seed ${seed} passes (history ${digest}).`)
    if (Date.now() - reportedAt < PROGRESS_MS) continue
    reportedAt = Date.now()
    console.log(`${seed - from + 1} of ${seeds} seeds have passed after ${seconds()} s`)
  }
  console.log(`${seeds} seeds from ${from} pass: no invariant was violated (${seconds()} s).`)
  return true
}

function mutationOption(): string {
  return mutation ? ` --mutation ${JSON.stringify(mutation)}` : ""
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "200" },
      from: { type: "string", default: "1" },
      mutation: { type: "string" },
      trace: { type: "boolean", default: false },
    },
  })
  const [seeds, from] = [Number(values.seeds), Number(values.from)]
  if (!(seeds >= 1 && from >= 0))
    throw new Error("--seeds must be 1 or more, and --from 0 or more.")
  if (values.mutation && !MUTATIONS[values.mutation]) {
    throw new Error(`NAME is one of:\n  ${Object.keys(MUTATIONS).join("\n  ")}`)
  }
  return { ...values, seeds, from }
}
