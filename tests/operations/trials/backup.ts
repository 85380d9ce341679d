import { join } from "node:path"
import postgres from "postgres"
import { randomText } from "../../../deploy/data-dir"
import type { TrackingRequest } from "../../chaos/trial/journal"
import { runLoad } from "../funnel"
import { connectionEnvironment, newPostgres, type Postgres, startPostgres } from "../postgres"
import { runProgram, unprivilegedWrapper } from "../process"
import { programOf } from "../programs"
import { acknowledgedRequests, originOf, verifyRestored } from "../restored"
import type { Stage, Trial } from "../stage"
import { startSystem } from "../system"
import { FAILURE_SHARE_MAX } from "../topology-trial"

const TRANSACTIONS = 50_000
const SHORT_MS = 3_000
const LONG_MS = 20_000
const NEW_TIMELINE = "recovery.signal" // the file makes PostgreSQL start one after recovery

type Backup = {
  take(stage: Stage, source: Postgres): Promise<unknown>
  restore(stage: Stage, source: Postgres): Promise<Postgres>
}

/** Takes a backup under load, loses the server, and continues on one restored from the backup. */
const backupTrial = (name: string, programs: string[], { take, restore }: Backup): Trial => ({
  name,
  needs: ["debian/postgres", ...programs],
  async run(stage) {
    const source = await newPostgres(stage, "source", "debian")
    stage.log(`${source.version}; backed up under load, restored to another server`)
    await consumeTransactionIds(source)
    const environment = { SECRET_KEY: randomText() }
    const system = await startSystem(stage, "before", { ...environment, DATABASE_URL: source.url })

    let before = new Set<TrackingRequest>()
    const sent = await runLoad(stage, "funnel", {
      url: system.url,
      durationMs: stage.isShort ? SHORT_MS : LONG_MS,
      failureShareMax: FAILURE_SHARE_MAX,
      async halfway(journal) {
        before = acknowledgedRequests(journal)
        await take(stage, source)
      },
    })
    const origin = await originOf(source.url)
    await system.stop()
    const server = await restore(stage, source)
    await verifyRestored(stage, server, environment, { sent, before, origin })
  },
})

/** Raises the server's transaction ids above those of a new server. */
async function consumeTransactionIds({ url }: Postgres) {
  const sql = postgres(url, { max: 1 })
  await sql.unsafe(`
    do $$ begin
      for i in 1..${TRANSACTIONS} loop
        perform pg_current_xact_id();
        commit;
      end loop;
    end $$
  `)
  await sql.end()
}

/** Verifies that rows name future transactions of this server, which hide them from feeds. */
async function verifyAhead(stage: Stage, { url }: Postgres) {
  const sql = postgres(url, { max: 1 })
  const [{ ahead }] = await sql<[{ ahead: string }]>`
    select count(*) as ahead
    from tracking.affiliate_click_events
    where final_xact >= pg_snapshot_xmax(pg_current_snapshot())
  `
  await sql.end()
  stage.verify(`${ahead} clicks name future transactions of this server`, [
    ...(Number(ahead) > 0 ? [] : ["none"]),
  ])
}

/** Follows the steps of docs/backup.md. */
export const dump = backupTrial(
  "Backup by pg_dump",
  ["debian/pg_dump", "debian/pg_dumpall", "debian/pg_restore", "debian/psql"],
  {
    async take(stage, source) {
      await run(
        stage,
        source,
        "pg_dumpall",
        "--roles-only",
        "--no-role-passwords",
        ...output(stage, "roles.sql"),
      )
      await run(
        stage,
        source,
        "pg_dump",
        "--format=custom",
        ...output(stage, "tributary.dump"),
        "tributary",
      )
    },
    async restore(stage, source) {
      const [roles, dumped] = [
        join(stage.folder, "roles.sql"),
        join(stage.folder, "tributary.dump"),
      ]
      await source.end()
      const server = await newPostgres(stage, "restored", "debian")
      await run(stage, server, "psql", "--quiet", `--file=${roles}`, "postgres")
      await run(stage, server, "pg_restore", "--exit-on-error", "--dbname=tributary", dumped)
      await verifyAhead(stage, server)
      return server
    },
  },
)

export const baseBackup = backupTrial("Backup by pg_basebackup", ["debian/pg_basebackup"], {
  async take(stage, source) {
    const folder = `--pgdata=${join(stage.folder, "restored")}`
    await run(stage, source, "pg_basebackup", folder, "--checkpoint=fast", "--wal-method=stream")
  },
  async restore(stage, source) {
    await source.end()
    const signal = join(stage.folder, "restored", NEW_TIMELINE)
    await runProgram(stage, [...unprivilegedWrapper(stage.folder), "touch", signal])
    return startPostgres(stage, { ...source, name: "restored" }, { restore_command: "false" })
  },
})

const output = (stage: Stage, name: string) => [`--file=${join(stage.folder, name)}`]

const run = (stage: Stage, server: Postgres, program: string, ...args: string[]) =>
  runProgram(
    stage,
    [...unprivilegedWrapper(stage.folder), programOf(`debian/${program}`)!, ...args],
    connectionEnvironment(server),
  )
