import { claimDataDir, type DataDir } from "./data-dir"
import { showDemo } from "./demo"
import { PART_NAMES, sentenceOf, startParts } from "./part"
import { freePort, isFree } from "./port"
import { embeddedPostgres } from "./postgres"
import { startSeparately } from "./separate"
import { natsServer, redisServer } from "./servers"
import { natsUrlOf, settings } from "./settings"
import { type Keep, type Spawn, supervisor } from "./supervisor"

const { env } = process

const PARTS_STOP_MS = 6_000
const SERVER_STOP_MS = 3_000
const SAME_SIGNAL_MS = 500 // npm repeats a Ctrl-C that the terminal has sent us already
const ASK_AGAIN_AFTER_MS = 50
const READY_TIMEOUT_MS = 60_000
const NOT_READY =
  "Not every part has come up within a minute. What is said above tells why; " +
  "LOG_LEVEL=info npm start tells more."

/** What has been started, and so has to be stopped, in the other order. */
const stops: (() => Promise<unknown>)[] = []
let stopping_since = 0
let ending: Promise<never> | undefined

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop)

try {
  await start()
} catch (error) {
  console.error(sentenceOf(error))
  await end(1)
}

/** Runs the whole of Tributary on this machine. */
async function start() {
  const { data_dir: path, has_demo, is_separate, replicas, metrics_ports, ...needs } = settings()
  const data_dir = claimDataDir(path)
  env.SECRET_KEY ||= data_dir.secret("secret_key")
  env.LOG_LEVEL ||= "warn" // the screen is for people; a problem still shows
  if (env.PORT === "0") env.PORT = String(await freePort())

  const { config } = await import("../lib/config")
  if (!(await isFree(config.port))) {
    throw new Error(
      `Port ${config.port} is taken. Choose another one: PORT=${config.port + 1} npm start`,
    )
  }
  for (const port of metrics_ports) {
    if (await isFree(port)) continue
    throw new Error(`Port ${port} is taken: METRICS_PORT is the first of ${metrics_ports.length}.`)
  }

  const keep = supervisor(data_dir)
  const is_new = await startServers(data_dir, keep, needs)
  stops.push(
    is_separate
      ? await startSeparately(keep, replicas, metrics_ports)
      : withinTime(await startParts(PART_NAMES), PARTS_STOP_MS),
  )

  const address = `http://localhost:${config.port}`
  const patience = Date.now() + READY_TIMEOUT_MS
  while (!(await isUp(address))) {
    if (Date.now() > patience) throw new Error(NOT_READY)
    await Bun.sleep(ASK_AGAIN_AFTER_MS)
  }
  const demo = has_demo ? await showDemo(data_dir, is_new, address).catch(sentenceOf) : null
  console.log(`Tributary is ready: ${config.public_url ?? address}`)
  if (demo) console.log(demo)
}

type Needs = Pick<ReturnType<typeof settings>, "needs_postgres" | "needs_nats" | "needs_redis">

/** Starts the servers that nobody gave us. Tells whether the database has just been made. */
async function startServers(data_dir: DataDir, keep: Keep, needs: Needs): Promise<boolean> {
  const nats = needs.needs_nats ? await natsServer(data_dir) : null
  const redis = needs.needs_redis ? await redisServer(data_dir) : null
  let is_new = false

  if (needs.needs_postgres) {
    if (!data_dir.has("postgres")) console.log("Creating the database…")
    const server = await embeddedPostgres(data_dir)
    await startServer(keep, "postgres", server.spawn)
    await server.ready()
    env.DATABASE_URL = server.socketUrl() ?? server.url()
    is_new = server.is_new
  }
  if (nats) {
    await startServer(keep, "nats", nats.spawn)
    for (const part of PART_NAMES) env[natsUrlOf(part)] = nats.urls[part]
  }
  if (redis) {
    await startServer(keep, "redis", redis.spawn)
    env.REDIS_URL = redis.url
  }
  return is_new
}

async function startServer(keep: Keep, name: string, spawn: Spawn) {
  const stopServer = await keep(name, 0, spawn)
  stops.push(() => stopServer(SERVER_STOP_MS))
}

function isUp(address: string): Promise<boolean> {
  return fetch(`${address}/status`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** A second Ctrl-C does not wait. */
function stop(signal: NodeJS.Signals) {
  if (!stopping_since) {
    stopping_since = Date.now()
    if (process.stdout.isTTY) console.log("\nStopping…")
    void end(0)
  } else if (signal === "SIGINT" && Date.now() - stopping_since > SAME_SIGNAL_MS) {
    process.exit(1)
  }
}

/** Whoever calls first decides the exit code. */
function end(code: number): Promise<never> {
  ending ??= stopAll().then(() => process.exit(code))
  return ending
}

async function stopAll() {
  for (const stop of stops.reverse()) await stop().catch(error => console.error(error))
}

function withinTime(stop: () => Promise<void>, most_ms: number) {
  return () => Promise.race([stop(), Bun.sleep(most_ms)])
}
