import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { claimDataDir } from "../../../deploy/data-dir"
import { embeddedPostgres } from "../../../deploy/postgres"

/** A PostgreSQL of the simulation's own, gone with it: what it has on the disk is not missed. */
export async function throwawayPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "tributary-simulation-"))
  const server = await embeddedPostgres(claimDataDir(folder))
  const running = await server.spawn()
  await server.ready()

  const superuser = postgres(server.url(), { max: 1, onnotice: () => {} })
  await superuser`alter system set fsync = off`
  await superuser`alter system set synchronous_commit = off`
  await superuser`alter system set deadlock_timeout = '1min'` // we break circles ourselves
  await superuser`alter system set autovacuum = off` // it would wait for our locks, and we for its
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
