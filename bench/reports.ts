import { cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { loadAndApply } from "./reports/applying"
import { type Parts, type Results, renderDocument } from "./reports/document"
import { eventsOf, prepareLoad } from "./reports/load"
import { measure, measureNaive } from "./reports/measure"
import { withIndexes } from "./reports/naive"
import { createProgram } from "./reports/program"
import { timeReaders } from "./reports/time-readers"
import { type Database, startTributary } from "./reports/tributary"

const CLICKS_STEP = 5_000
const SETTINGS = ["server_version", "fsync", "synchronous_commit", "shared_buffers"]

const { values } = parseArgs({
  options: {
    clicks: { type: "string", default: "5000000" },
    repetitions: { type: "string", default: "5" },
    seconds: { type: "string", default: "20" }, // per stretch; one stretch per repetition
    "warm-up": { type: "string", default: "40" }, // seconds before the stretches
    rate: { type: "string", default: "1000" }, // clicks per second while the readers read
    folder: { type: "string", default: import.meta.dir },
  },
})
const clicks = Number(values.clicks)
const repetitions = Number(values.repetitions)
const seconds = Number(values.seconds)
const warm_up_seconds = Number(values["warm-up"])
const clicks_per_second = Number(values.rate)
if (!(clicks > 0) || clicks % CLICKS_STEP !== 0) {
  console.error(`--clicks must be a multiple of ${CLICKS_STEP}.`)
  process.exit(2)
}

const start = performance.now()
const tributary = await startTributary()
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => tributary.remove().finally(() => process.exit(1)))
}
try {
  const results = await run()
  const file = join(values.folder, "reports")
  await Bun.write(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  await Bun.write(`${file}.md`, renderDocument(results))
  console.log(`\n${renderDocument(results)}`)
} finally {
  await tributary.remove()
}

/** Measures everything twice: with a fifth of the events, and with all of them. */
async function run(): Promise<Results> {
  const program = await createProgram(tributary)
  await prepareLoad(tributary.sql)

  const rounds: Results["rounds"] = []
  for (const [first, last] of [
    [0, clicks / 5],
    [clicks / 5, clicks],
  ] as [number, number][]) {
    const applied = await loadAndApply(tributary, program, [first, last])
    await tributary.sql`vacuum analyze`
    const events = eventsOf(last)
    const measured = await measure(tributary, program, events, repetitions)
    rounds.push({ clicks: last, events, applied, measured })
  }
  const indexed_naive_ms = await withIndexes(tributary.sql, () =>
    measureNaive(tributary, program, eventsOf(clicks), 3),
  )
  await tributary.stopStatementStatistics()
  await tributary.sql`checkpoint` // otherwise it writes the loaded rows while the readers read
  const flood = { clicks_per_second, warm_up_seconds, stretches: repetitions, seconds }
  const parts: Parts = tributary.isSeparate ? "separate" : "one process"
  const crowds: Results["crowds"] = [{ parts, ...(await timeReaders(tributary, program, flood)) }]
  if (tributary.isSeparate) {
    await tributary.restartInOneProcess()
    crowds.push({ parts: "one process", ...(await timeReaders(tributary, program, flood)) })
  }

  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim()}.`,
    settings: await settingsOf(tributary.sql),
    parts,
    seconds: (performance.now() - start) / 1_000,
    rounds,
    indexed_naive_ms,
    crowds,
  }
}

async function settingsOf(sql: Database) {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, current_setting(name) as setting
    from pg_settings
    where name in ${sql(SETTINGS)}
    order by name
  `
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}
