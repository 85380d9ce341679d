import { join } from "node:path"
import { parseArgs } from "node:util"
import { createProgram } from "./reports/program"
import { type Database, startTributary } from "./reports/tributary"

const CHUNK_SALES = 25_000
const MIB = 1_048_576

/**
 * Times `npm run audit` over many sales, each of a customer with one click, and says how much memory
 * it took. It does all the work itself, on the database of a running system.
 */
const { values } = parseArgs({ options: { sales: { type: "string", default: "1000000" } } })
const sales = Number(values.sales)

const tributary = await startTributary()
const { sql } = tributary
const program = await createProgram(tributary)
await sql.file(join(import.meta.dir, "audit/load.sql"))
for (let start = 0; start < sales; start += CHUNK_SALES) {
  const size = Math.min(CHUNK_SALES, sales - start)
  await sql`
    select bench.load_sales(
      ${program.id}, ${program.first_partner_id}, ${program.first_link_id}, ${program.partners},
      ${sales}, ${start}, ${size}
    )
  `
}
await sql`select bench.finish_sales(${program.id})`
await sql`analyze`
console.log(`${sales} sales are stored.`)
await waitUntilApplied(sql)
console.log("Reporting has them.")

const began = performance.now()
const audit = Bun.spawn([process.execPath, join(import.meta.dir, "../deploy/audit.ts")], {
  cwd: join(import.meta.dir, ".."),
  env: { ...process.env, NATS_URL: "", DATABASE_URL: tributary.databaseUrl },
  stdio: ["ignore", "inherit", "inherit"],
})
const code = await audit.exited
const seconds = Math.round((performance.now() - began) / 1_000)
const mib = Math.round((audit.resourceUsage()?.maxRSS ?? 0) / MIB)
console.log(`npm run audit over ${sales} sales: ${seconds} s, ${mib} MiB, exit code ${code}.`)
await tributary.remove()
process.exit(code)

/** Reporting reads the feeds while the system runs. */
async function waitUntilApplied(sql: Database) {
  for (;;) {
    const [{ events }] = await sql<[{ events: number }]>`
      select coalesce(sum(clicks + sales), 0)::bigint as events
      from reporting.daily
    `
    if (events >= 2 * sales) return
    await Bun.sleep(1_000)
  }
}
