import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { claimDataDir } from "../../../deploy/data-dir"
import { embeddedPostgres } from "../../../deploy/postgres"

/** Starts a PostgreSQL for the simulation. Its data is not durable and is removed at the end. */
export async function throwawayPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "tributary-simulation-"))
  const server = await embeddedPostgres(claimDataDir(folder))
  const running = await server.spawn()
  await server.ready()

  const superuser = postgres(server.url(), { max: 1, onnotice: () => {} })
  await superuser`alter system set fsync = off`
  await superuser`alter system set synchronous_commit = off`
  await superuser`alter system set deadlock_timeout = '1min'` // see statements.ts
  await superuser`alter system set autovacuum = off` // its locks would change a history
  await superuser`select pg_reload_conf()`

  return {
    url: server.url(),
    superuser,
    async stop() {
      running.kill("SIGQUIT")
      await running.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
