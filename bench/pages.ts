import { cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { launchBrowser } from "../tests/support/browser"
import { measureCost } from "./pages/cost"
import { type PageResults, renderPages } from "./pages/document"
import { measureNarrowed } from "./pages/narrowed"
import { measureUse } from "./pages/use"
import { measureViews } from "./pages/views"
import { loadAndApply } from "./reports/applying"
import { eventsOf, prepareLoad } from "./reports/load"
import { createProgram } from "./reports/program"
import { startTributary } from "./reports/tributary"

const CLICKS_STEP = 5_000

const { values } = parseArgs({
  options: {
    clicks: { type: "string", default: "4465000" }, // 5 million events, with their leads and sales
    repetitions: { type: "string", default: "7" }, // of each first view
    presses: { type: "string", default: "40" }, // of keys in the list of events
    folder: { type: "string", default: import.meta.dir },
  },
})
const clicks = Number(values.clicks)
if (!(clicks > 0) || clicks % CLICKS_STEP !== 0) {
  console.error(`--clicks must be a multiple of ${CLICKS_STEP}.`)
  process.exit(2)
}

const cost = await measureCost() // first: the machine is still quiet
const tributary = await startTributary()
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => tributary.remove().finally(() => process.exit(1)))
}
const browser = await launchBrowser()
try {
  const program = await createProgram(tributary)
  await prepareLoad(tributary.sql)
  await loadAndApply(tributary, program, [0, clicks])
  await tributary.sql`vacuum analyze`
  await tributary.sql`checkpoint` // otherwise it writes the loaded rows meanwhile

  const site = { browser, url: tributary.url, session: program.session, program_id: program.id }
  const results: PageResults = {
    at: new Date().toISOString(),
    machine: `${cpus().length} cores, ${cpus()[0]?.model.trim()}.`,
    chromium: browser.version(),
    events: eventsOf(clicks),
    cost,
    views: await measureViews(site, Number(values.repetitions)),
    use: await measureUse(site, Number(values.presses)),
    narrowed: await measureNarrowed(tributary, program),
  }
  const file = join(values.folder, "pages")
  await Bun.write(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  await Bun.write(`${file}.md`, renderPages(results))
  console.log(`\n${renderPages(results)}`)
} finally {
  await browser.close()
  await tributary.remove()
}
