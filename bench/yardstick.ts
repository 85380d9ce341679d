import { join } from "node:path"
import postgres from "postgres"
import { migrate } from "../lib/db/migrate"
import type { System } from "./system"

const DATABASE = "yardstick"
const SEEDED_CUSTOMERS = 20_000 // these have a customer key; the others have only clicked
const LEADS_PER_RUN = 30_000 // there are six runs

export type Work = "click" | "click-statement" | "lead" | "sale" | "sale-statement"

/**
 * Prepares pgbench on the same server, in its own database with the same migrations: the same
 * tables, indexes and checks. No service reads this database, so no feed delivers its rows.
 */
export async function yardstick({ dataDir, databaseUrl, socketUrl, sql }: System) {
  const program = Bun.which("pgbench")
  if (!program)
    throw new Error("pgbench is missing: apt-get install postgresql (which includes it).")

  await sql`create database ${sql(DATABASE)}`
  const url = yardstickUrl(socketUrl ?? databaseUrl) // the way Tributary's own parts connect
  for (const service of ["tracking", "commissions"]) {
    process.env[`${service.toUpperCase()}_DATABASE_URL`] = url
    await migrate(service, join(import.meta.dir, `../services/${service}/migrations`))
  }
  const connection = postgres(yardstickUrl(databaseUrl), { max: 1, onnotice: () => {} })
  await connection`select tracking.ensure_click_partitions()`
  await connection.unsafe(await Bun.file(join(import.meta.dir, "pgbench/seed.sql")).text())
  let runs = 0
  let leadRuns = 0

  /** Transactions per second with so many clients; 0 if pgbench completed none. */
  async function measure(work: Work, clients: number, seconds: number, links = 1_000) {
    runs++
    const first = SEEDED_CUSTOMERS + leadRuns * LEADS_PER_RUN
    if (work === "lead") leadRuns++
    const file = await writeScript(work, dataDir)
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

  return { measure, close: () => connection.end() }
}

function yardstickUrl(address: string): string {
  const url = new URL(address)
  url.pathname = `/${DATABASE}`
  return url.href
}

/** Writes the script pgbench runs. Both ways to store a sale are followed by its commission. */
async function writeScript(work: Work, dataDir: string): Promise<string> {
  const textOf = (name: string) => Bun.file(join(import.meta.dir, `pgbench/${name}.sql`)).text()
  const parts = work.startsWith("sale") ? [work, "sale-commission"] : [work]
  const file = join(dataDir, `pgbench-${work}.sql`)
  await Bun.write(file, (await Promise.all(parts.map(textOf))).join(""))
  return file
}
