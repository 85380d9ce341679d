import { join } from "node:path"
import postgres from "postgres"
import { migrate } from "../lib/db/migrate"
import type { System } from "./system"

const DATABASE = "yardstick"
const SEEDED_CUSTOMERS = 20_000 // those with a key; the others have only clicked
const LEADS_PER_RUN = 30_000 // of six runs

export type Work = "click" | "click-statement" | "lead" | "sale" | "sale-statement"

/**
 * pgbench on the same server, in a database of its own that the same migrations have made: the same
 * tables, indexes and checks. Only its rows are nobody's, so that no feed carries them on.
 */
export async function yardstick({ data_dir, database_url, socket_url, sql }: System) {
  const program = Bun.which("pgbench")
  if (!program) throw new Error("Install pgbench: apt-get install postgresql, which has it.")

  await sql`create database ${sql(DATABASE)}`
  const url = yardstickUrl(socket_url ?? database_url) // as Tributary's own parts come to it
  for (const service of ["tracking", "commissions"]) {
    process.env[`${service.toUpperCase()}_DATABASE_URL`] = url
    await migrate(service, join(import.meta.dir, `../services/${service}/migrations`))
  }
  const own = postgres(yardstickUrl(database_url), { max: 1, onnotice: () => {} })
  await own`select tracking.ensure_click_partitions()`
  await own.unsafe(await Bun.file(join(import.meta.dir, "pgbench/seed.sql")).text())
  let runs = 0
  let lead_runs = 0

  /** How many of these transactions a second, by so many clients. */
  async function measure(work: Work, clients: number, seconds: number, links = 1_000) {
    runs++
    const first = SEEDED_CUSTOMERS + lead_runs * LEADS_PER_RUN
    if (work === "lead") lead_runs++
    const file = await scriptOf(work, data_dir)
    const variables = { links, clients, first, customers: SEEDED_CUSTOMERS, run: runs, n: 0 }
    const defined = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`])
    const command = [program as string, "-n", "-M", "prepared", "-f", file, ...defined]
    const load = ["-c", `${clients}`, "-j", `${Math.min(2, clients)}`, "-T", `${seconds}`]
    const output = await Bun.$`${[...command, ...load]} ${url}`
      .env({ ...process.env, PGOPTIONS: "-c search_path=tracking -c timezone=UTC -c jit=off" })
      .quiet()
      .text()
    const [, rate] = /^tps = ([\d.]+)/m.exec(output) ?? []
    const [, failed = "0"] = /^number of failed transactions: (\d+)/m.exec(output) ?? []
    if (!/^number of transactions actually processed: [1-9]/m.test(output)) return 0 // starved
    if (!rate || failed !== "0") throw new Error(`pgbench: ${output}`)
    return Number(rate)
  }

  return { measure, close: () => own.end() }
}

function yardstickUrl(address: string): string {
  const url = new URL(address)
  url.pathname = `/${DATABASE}`
  return url.href
}

/** What pgbench runs for it: a sale goes on to its commission, however it was stored. */
async function scriptOf(work: Work, data_dir: string): Promise<string> {
  const textOf = (name: string) => Bun.file(join(import.meta.dir, `pgbench/${name}.sql`)).text()
  const parts = work.startsWith("sale") ? [work, "sale-commission"] : [work]
  const file = join(data_dir, `pgbench-${work}.sql`)
  await Bun.write(file, (await Promise.all(parts.map(textOf))).join(""))
  return file
}
