import { chmodSync, chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"
import { unprivilegedLaunch } from "../../deploy/unprivileged"
import { newPostgres, startPostgres } from "../operations/postgres"
import { startServer, waitUntil } from "../operations/process"
import type { Stage } from "../operations/stage"
import type { Pair } from "./certificates"

type Client = { lang?: string; tls_version?: string }
type Files = { server: Pair; ca: string }

/** PostgreSQL that accepts Tributary only by TLS and with a certificate of `ca`. */
export async function tlsPostgres(stage: Stage, { server, ca }: Files) {
  const plain = await newPostgres(stage, "postgres", "embedded")
  await plain.end()
  const { uid } = unprivilegedLaunch([["test", "-w", stage.folder]])
  for (const path of [server.cert, server.key, ca]) chownSync(path, uid, uid)
  chmodSync(server.key, 0o600)
  const rules = [
    "host postgres all all scram-sha-256", // another database, to look from outside
    "hostssl tributary all all scram-sha-256 clientcert=verify-ca",
  ]
  const hba = join(stage.folder, "pg_hba.conf")
  writeFileSync(hba, `${rules.join("\n")}\n`, { mode: 0o644 })
  return startPostgres(stage, plain, {
    ssl: "on",
    ssl_cert_file: server.cert,
    ssl_key_file: server.key,
    ssl_ca_file: ca,
    hba_file: hba,
  })
}

/** PostgreSQL without TLS. */
export const plainPostgres = (stage: Stage) => newPostgres(stage, "plain-postgres", "embedded")

/** NATS, with TLS and client certificates if there are files. */
export async function natsWith(stage: Stage, name: string, files?: Files) {
  const [port, monitor, token] = [await freePort(), await freePort(), randomText()]
  const tls = files
    ? `tls { cert_file: "${files.server.cert}", key_file: "${files.server.key}",
             ca_file: "${files.ca}", verify: true }`
    : ""
  const settings = join(stage.folder, `${name}.conf`)
  const listen = `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitor}"`
  writeFileSync(settings, `${listen}\nauthorization { token: "${token}" }\n${tls}\n`)
  startServer(stage, name, [Bun.which("nats-server")!, "--config", settings])
  /** Those that have introduced themselves, which follows the handshake of TLS. */
  const clients = async () => {
    const reply = await fetch(`http://127.0.0.1:${monitor}/connz`)
    const { connections } = (await reply.json()) as { connections: Client[] }
    return connections.filter(({ lang }) => lang)
  }
  await waitUntil(`${name} is up`, async () => Array.isArray(await clients()))
  return { port, clients, url: (scheme: string) => `${scheme}://${token}@localhost:${port}` }
}

/** Redis, with TLS alone and client certificates if there are files. */
export async function redisWith(stage: Stage, name: string, files?: Files) {
  const [port, password] = [await freePort(), randomText()]
  const settings = files
    ? [
        "port 0",
        `tls-port ${port}`,
        `tls-cert-file ${files.server.cert}`,
        `tls-key-file ${files.server.key}`,
        `tls-ca-cert-file ${files.ca}`,
      ]
    : [`port ${port}`]
  const file = join(stage.folder, `${name}.conf`)
  const lines = ["bind 127.0.0.1", `requirepass ${password}`, 'save ""', ...settings]
  writeFileSync(file, `${lines.join("\n")}\n`)
  startServer(stage, name, [Bun.which("redis-server")!, file])
  return { port, url: (scheme: string) => `${scheme}://:${password}@localhost:${port}` }
}

/** How many connections Tributary has to PostgreSQL, and whether all are by TLS. */
export async function connectionsOf(url: string) {
  const sql = postgres(url.replace(/[^/]*$/, "postgres"), { max: 1 })
  const rows = await sql<{ ssl: boolean }[]>`
    select ssl
    from pg_stat_ssl
    join pg_stat_activity using (pid)
    where datname = 'tributary'
  `
  await sql.end()
  return { connections: rows.length, isEncrypted: rows.every(({ ssl }) => ssl) }
}
