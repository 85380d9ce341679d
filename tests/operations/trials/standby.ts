import { join } from "node:path"
import postgres from "postgres"
import { runLoad, verifyReports } from "../funnel"
import { connectionEnvironment, newPostgres, type Postgres, startPostgres } from "../postgres"
import { runProgram, unprivilegedWrapper } from "../process"
import { programOf } from "../programs"
import type { Stage } from "../stage"
import { FAILURE_SHARE_MAX, topologyTrial } from "../topology-trial"

const PAUSED = { durationMs: 1_000, failureShareMax: FAILURE_SHARE_MAX }

/** Reports are read from a standby, and still include all that was acknowledged before. */
export const standby = topologyTrial(
  "A standby for the reports",
  ["debian/postgres", "debian/pg_basebackup"],
  async stage => {
    const primary = await newPostgres(stage, "primary", "debian")
    const replica = await startStandby(stage, primary)
    return {
      servers: `a primary and a standby, ${primary.version}`,
      environment: {
        DATABASE_URL: primary.url,
        REPORTING_READ_DATABASE_URL: replica.url,
        REPLICAS: "2",
      },
      databases: primary.url,
      verify: url => verifyReads(stage, replica, url),
    }
  },
)

async function startStandby(stage: Stage, primary: Postgres) {
  const data = join(stage.folder, "standby")
  await runProgram(
    stage,
    [
      ...unprivilegedWrapper(stage.folder),
      programOf("debian/pg_basebackup")!,
      ...["--pgdata", data, "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"],
    ],
    connectionEnvironment(primary),
  )
  const server = { ...primary, name: "standby" }
  return startPostgres(stage, server, { log_statement: "all" })
}

/** Verifies that the standby is read, and that the primary is read while the replay is paused. */
async function verifyReads(stage: Stage, { url: standby_url, name }: Postgres, url: string) {
  const log = await Bun.file(join(stage.folder, `${name}.log`)).text()
  const reads = log.split("(feed, applied_until)").length - 1
  stage.verify(
    `the standby was read ${reads} times`,
    reads > 0 ? [] : ["expected at least one read"],
  )

  const sql = postgres(standby_url, { max: 1 })
  await sql`select pg_wal_replay_pause()`
  const sent = await runLoad(stage, "paused", { url, ...PAUSED })
  await verifyReports(stage, sent)
  await sql`select pg_wal_replay_resume()`
  await sql.end()
  return [sent]
}
