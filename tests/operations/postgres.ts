import { writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"
import { runProgram, startServer, unprivilegedWrapper, waitUntil } from "./process"
import { type Kind, postgresOf, versionOf } from "./programs"
import type { Stage } from "./stage"

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 400,
  max_wal_size: "4GB",
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Creates and starts a PostgreSQL server with an empty database. */
export async function newPostgres(stage: Stage, name: string, kind: Kind) {
  const { initdb } = postgresOf(kind)
  const [data, password] = [join(stage.folder, name), randomText()]
  const pwfile = join(stage.folder, `${name}.password`)
  writeFileSync(pwfile, password, { mode: 0o600 })
  await runProgram(stage, [
    ...unprivilegedWrapper(stage.folder),
    initdb,
    `--pgdata=${data}`,
    `--pwfile=${pwfile}`,
    ...["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
  ])
  const server = await startPostgres(stage, { name, kind, password })
  const sql = postgres(server.url.replace(/[^/]*$/, "postgres"), { max: 1 })
  await sql`create database tributary`
  await sql.end()
  return server
}

/** Starts PostgreSQL on an existing data folder, for example a restored one. */
export async function startPostgres(
  stage: Stage,
  { name, kind, password }: { name: string; kind: Kind; password: string },
  overrides: Record<string, string> = {},
) {
  const program = postgresOf(kind).postgres
  const data = join(stage.folder, name)
  const port = await freePort()
  const settings = Object.entries({ ...SETTINGS, ...overrides, port })
  const options = settings.flatMap(([key, value]) => ["-c", `${key}=${value}`])
  const { end } = startServer(stage, name, [
    ...unprivilegedWrapper(stage.folder),
    ...[program, "-D", data, ...options],
  ])
  const urlOf = (database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  await waitUntil(`${name} accepts queries`, () => isUp(urlOf("postgres")))
  const url = urlOf("tributary")
  return { name, kind, password, port, url, data, end, version: versionOf(program) }
}

async function isUp(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 1, fetch_types: false })
  try {
    await sql`select 1`
    return true
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Returns the environment with which PostgreSQL's programs connect to a server. */
export const connectionEnvironment = ({ port, password }: Postgres) => ({
  PGHOST: "127.0.0.1",
  PGPORT: `${port}`,
  PGUSER: "postgres",
  PGPASSWORD: password,
})
