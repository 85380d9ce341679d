import { join } from "node:path"
import postgres from "postgres"
import { randomText } from "../../../deploy/data-dir"
import type { Wish } from "../../chaos/trial/journal"
import { runLoad } from "../funnel"
import { BUSY_MAX_SHARE } from "../on-topology"
import { connectionEnvironment, newPostgres, type Postgres, startPostgres } from "../postgres"
import { runProgram, unprivilegedWrapper } from "../process"
import { programOf } from "../programs"
import { acknowledgedRequests, originOf, verifyRestored } from "../restored"
import type { Stage, Trial } from "../stage"
import { startSystem } from "../system"

const TRANSACTIONS = 50_000
const SHORT_MS = 3_000
const LONG_MS = 20_000
const NEW_TIMELINE = "recovery.signal" // with it PostgreSQL ends its recovery with a new one

type Backup = {
  take(stage: Stage, source: Postgres): Promise<unknown>
  restore(stage: Stage, source: Postgres): Promise<Postgres>
}

/** Backs up under load, loses the server, and goes on with one that is made from the backup. */
const backedUp = (name: string, programs: string[], { take, restore }: Backup): Trial => ({
  name,
  needs: ["debian/postgres", ...programs],
  async run(stage) {
    const source = await newPostgres(stage, "source", "debian")
    stage.tell(`${source.version}; backed up while it works, restored to another`)
    await age(source)
    const environment = { SECRET_KEY: randomText() }
    const system = await startSystem(stage, "before", { ...environment, DATABASE_URL: source.url })

    let before = new Set<Wish>()
    const sent = await runLoad(stage, "funnel", {
      url: system.url,
      lasts_ms: stage.is_short ? SHORT_MS : LONG_MS,
      failures_max_share: BUSY_MAX_SHARE,
      async strike(journal) {
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

/** Its transaction ids are then above those that a new server gives out. */
async function age({ url }: Postgres) {
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

/** The rows are such as no reader of this server would be told of by itself. */
async function verifyAhead(stage: Stage, { url }: Postgres) {
  const sql = postgres(url, { max: 1 })
  const [{ ahead }] = await sql<[{ ahead: string }]>`
    select count(*) as ahead
    from tracking.affiliate_click_events
    where final_xact >= pg_snapshot_xmax(pg_current_snapshot())
  `
  await sql.end()
  stage.verify(`${ahead} clicks name transactions that this server has yet to come to`, [
    ...(Number(ahead) > 0 ? [] : ["none"]),
  ])
}

/** As docs/backup.md says, step by step. */
export const dump = backedUp(
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
        ...to(stage, "roles.sql"),
      )
      await run(
        stage,
        source,
        "pg_dump",
        "--format=custom",
        ...to(stage, "tributary.dump"),
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

export const baseBackup = backedUp("Backup by pg_basebackup", ["debian/pg_basebackup"], {
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

const to = (stage: Stage, name: string) => [`--file=${join(stage.folder, name)}`]

const run = (stage: Stage, server: Postgres, program: string, ...args: string[]) =>
  runProgram(
    stage,
    [...unprivilegedWrapper(stage.folder), programOf(`debian/${program}`)!, ...args],
    connectionEnvironment(server),
  )
