import { writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../../../deploy/port"
import { newPostgres, type Postgres } from "../postgres"
import { startServer, unprivilegedWrapper, waitUntil } from "../process"
import { programOf, versionOf } from "../programs"
import type { Stage } from "../stage"
import { topologyTrial } from "../topology-trial"

const SERVER_CONNECTIONS = 30 // 16 connections of reporting's two replicas may wait for each other

/** All services share one small pool, which assigns connections per transaction. */
export const pgbouncer = topologyTrial(
  "PgBouncer in transaction mode",
  ["pgbouncer"],
  async stage => {
    const server = await newPostgres(stage, "postgres", "embedded")
    const { url, version } = await startPgBouncer(stage, server)
    return {
      servers: `${version} in front of ${server.version}`,
      environment: { DATABASE_URL: url, PREPARED_STATEMENTS: "off", REPLICAS: "2" },
      databases: server.url,
      verify: () => verifyPool(stage, url),
    }
  },
)

async function startPgBouncer(stage: Stage, { port: serverPort, password, url }: Postgres) {
  const program = programOf("pgbouncer")!
  const port = await freePort()
  const users = join(stage.folder, "users.txt")
  const settings = join(stage.folder, "pgbouncer.ini")
  writeFileSync(users, `"postgres" "${password}"\n`, { mode: 0o600 })
  writeFileSync(
    settings,
    `[databases]
tributary = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = postgres
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 1000
`,
  )
  startServer(stage, "pgbouncer", [...unprivilegedWrapper(stage.folder), program, settings])
  const pooled = url.replace(`:${serverPort}/`, `:${port}/`)
  await waitUntil("PgBouncer accepts queries", async () => (await poolsOf(pooled)).length > 0)
  return { url: pooled, version: versionOf(program) }
}

/** Verifies that many client connections shared few server connections. */
async function verifyPool(stage: Stage, url: string) {
  const [pool] = (await poolsOf(url)).filter(({ database }) => database === "tributary")
  const clients = Number(pool?.cl_active) + Number(pool?.cl_waiting)
  const servers = Number(pool?.sv_active) + Number(pool?.sv_idle) + Number(pool?.sv_used)
  const isShared = pool?.pool_mode === "transaction" && clients > servers && servers > 0
  stage.verify(`${clients} connections of Tributary share ${servers} of the server`, [
    ...(isShared ? [] : [JSON.stringify(pool)]),
  ])
  return []
}

async function poolsOf(url: string) {
  const admin = postgres(url.replace(/[^/]*$/, "pgbouncer"), { max: 1, fetch_types: false })
  try {
    return await admin.unsafe("show pools")
  } finally {
    await admin.end({ timeout: 1 })
  }
}
