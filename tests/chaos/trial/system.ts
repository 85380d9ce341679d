import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { freePort } from "../../../deploy/port"
import { runAudit } from "../../support/commands"
import { type ProcessEntry, startTributary, stopTributary } from "../../support/tributary-process"
import { prepareReceivers } from "../events-out/receivers"
import { fakeClock } from "./fake-clock"
import { serversBehindProxies } from "./servers"
import type { Stage } from "./stage"

const UNLIMITED = "999999999/1s" // calls are counted in Redis, but none is refused

export type System = Awaited<ReturnType<typeof startSystem>>

/**
 * Starts Tributary as `PROCESSES=separate REPLICAS=2 npm start` does. For the network and the clock,
 * this process runs the servers in the same way, and Tributary reaches them through proxies only.
 * There are no receivers of webhooks where the clock is set: what is due then comes at that time.
 */
export async function startSystem(folder: string, stage: Stage) {
  mkdirSync(folder, { recursive: true })
  const hasServers = stage === "network" || stage === "clock"
  const environment = stage === "clock" ? fakeClock(folder) : {}
  const servers = hasServers ? await serversBehindProxies(folder, environment) : null
  const receivers = stage === "clock" ? null : await prepareReceivers(folder)
  const launcher = startTributary({
    DATA_DIR: join(folder, "parts"),
    PORT: String(await freePort()),
    PROCESSES: "separate",
    REPLICAS: "2",
    RATE_LIMITS: "on",
    RATE_LIMIT_CLICKS: UNLIMITED,
    RATE_LIMIT_CREDENTIALS: UNLIMITED,
    RATE_LIMIT_UNKNOWN_CREDENTIALS: UNLIMITED,
    RATE_LIMIT_REPORTS: "1000",
    ...servers?.environment,
    ...receivers?.environment,
  })
  await launcher.ready
  const { data_dir } = launcher
  const servers_dir = servers?.data_dir ?? data_dir
  const database_url: string = readJson(join(servers_dir, "postgres.json")).url
  const nats_port = Number(new URL(readJson(join(servers_dir, "nats.json")).operator).port)

  /** Connects the superuser directly, not through a proxy. */
  const sql = postgres(database_url, {
    max: 3,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    fetch_types: false,
    connect_timeout: 2,
    backoff: () => 0.1,
    onnotice: () => {},
  })

  return {
    stage,
    folder,
    url: await launcher.ready,
    database_url,
    nats_port,
    sql,
    proxies: servers?.proxies,
    receivers,

    /** The current processes, servers included. */
    processes(): ProcessEntry[] {
      const folders = servers ? [data_dir, servers_dir] : [data_dir]
      return folders.flatMap(folder => readJson(join(folder, "processes.json")))
    },

    audit: () => runAudit(servers_dir, { LOG_LEVEL: "error" }),

    async stop() {
      await sql.end({ timeout: 1 })
      receivers?.stop()
      await stopTributary(launcher)
      await servers?.stop()
      writeFileSync(`${folder}.log`, launcher.output())
    },
  }
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))
