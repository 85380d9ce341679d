import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { claimDataDir } from "../../deploy/data-dir"
import { embeddedPostgres } from "../../deploy/postgres"
import type { Finding } from "../../lib/reconcile"
import { launch } from "../support/launcher"
import { stopTributary } from "../support/tributary-process"
import { makeHistory } from "./history"

const SERVICES = ["tracking", "commissions", "reporting", "identity", "delivery"]

/**
 * The books of a Tributary that has run for a while and was stopped: nothing repairs them. The audit
 * reads them as often as it is called, and `restore` undoes whatever was done to them.
 */
export async function cleanBooks() {
  const folder = mkdtempSync(join(tmpdir(), "tributary-damage-"))
  const server = await embeddedPostgres(claimDataDir(join(folder, "postgres")))
  const running = await server.spawn()
  await server.ready()
  const DATABASE_URL = server.url()
  const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} })

  const system = await launch({ DATABASE_URL })
  await makeHistory(await system.ready, sql)
  await stopTributary(system)

  const tables = await saveTables(sql)
  const auditor = startAuditor({ DATABASE_URL, DATA_DIR: system.data_dir })

  return {
    sql,
    environment: { DATABASE_URL, DATA_DIR: system.data_dir },
    audit: auditor.audit,
    restore: () => sql.unsafe(restoring(tables)),
    async stop() {
      await auditor.stop()
      await sql.end()
      running.kill("SIGQUIT")
      await running.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies all tables. Returns their names. */
async function saveTables(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql`
    select format('%I.%I', nspname, relname) as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = any (${SERVICES})
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> 'migrations'
  `
  const names = tables.map(({ name }) => name as string)
  await sql`create schema saved`
  for (const name of names) await sql.unsafe(`create table ${copyOf(name)} as table ${name}`)
  return names
}

const copyOf = (table: string) => `saved.${table.replace(".", "_")}`

const restoring = (tables: string[]) => `
  begin;
  set local session_replication_role = replica;
  ${tables
    .map(
      table => `
        delete from ${table};
        insert into ${table} overriding system value table ${copyOf(table)};
      `,
    )
    .join("")}
  commit
`

/** Starts a process that audits on request: starting one for each audit would take minutes. */
function startAuditor(environment: Record<string, string>) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "auditor.ts")], {
    cwd: join(import.meta.dir, "../.."), // where bunfig.toml is
    env: { ...process.env, NATS_URL: "", LOG_LEVEL: "warn", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const lines = linesOf(child.stdout)
  return {
    async audit(): Promise<Finding[]> {
      child.stdin.write("\n")
      child.stdin.flush()
      return JSON.parse((await lines.next()).value as string)
    },
    async stop() {
      child.kill()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split("\n")
    text = lines.pop() as string
    yield* lines
  }
}
