import { claimDataDir, type DataDir } from "./data-dir"
import { fillDemo, isRemoved } from "./demo/fill-demo"
import { instructions } from "./demo/instructions"
import { type Demo, prepareDemo } from "./demo/prepare-demo"
import { describeError, PART_NAMES, startParts } from "./part"
import { freePort, isFree } from "./port"
import { embeddedPostgres } from "./postgres"
import { startSeparately } from "./separate"
import { natsServer, redisServer } from "./servers"
import { natsUrlVariable, settings } from "./settings"
import { type Spawn, type Supervise, supervisor } from "./supervisor"

const { env } = process

const PARTS_STOP_MS = 6_000
const SERVER_STOP_MS = 3_000
const SAME_SIGNAL_MS = 500 // npm repeats a Ctrl-C that the terminal already sent to this process
const FIRST_POLL_MS = 50
const LAST_POLL_MS = 2_000 // /status has a rate limit
const READY_TIMEOUT_MS = 60_000
const NOT_READY =
  "Tributary did not become ready within a minute. See the messages above, " +
  "or run LOG_LEVEL=info npm start for more."

/** How to stop what was started, in the order of the start. It is stopped in reverse order. */
const stops: (() => Promise<unknown>)[] = []
let stoppingSince = 0
let ending: Promise<never> | undefined

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop)

try {
  await start()
} catch (error) {
  console.error(describeError(error))
  await end(1)
}

/** Runs the whole of Tributary on this machine (behaviour 9.1). */
async function start() {
  const { dataDir: path, hasDemo, isSeparate, replicas, metricsPorts, ...needs } = settings()
  const dataDir = claimDataDir(path)
  env.DATA_DIR = dataDir.root // delivery writes mails into it
  env.SECRET_KEY ||= dataDir.secret("secret_key")
  env.LOG_LEVEL ||= "warn" // keeps the terminal readable; problems still show
  if (env.PORT === "0") env.PORT = String(await freePort())

  const { config } = await import("../lib/config")
  if (!(await isFree(config.port))) {
    throw new Error(
      `Port ${config.port} is already in use. Choose another: PORT=${config.port + 1} npm start`,
    )
  }
  for (const port of metricsPorts) {
    if (await isFree(port)) continue
    throw new Error(
      `Port ${port} is already in use. METRICS_PORT is the first of ${metricsPorts.length}.`,
    )
  }

  const supervise = supervisor(dataDir)
  const isNew = await startServers(dataDir, supervise, needs)
  stops.push(
    isSeparate
      ? await startSeparately(supervise, replicas, metricsPorts)
      : withinTime(await startParts(PART_NAMES), PARTS_STOP_MS),
  )

  const address = `http://localhost:${config.port}`
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (let pause = FIRST_POLL_MS; !(await isUp(address)); ) {
    if (Date.now() > deadline)
      throw new Error([NOT_READY, ...(await problemsOf(address))].join("\n"))
    await Bun.sleep(pause)
    pause = Math.min(pause * 1.25, LAST_POLL_MS)
  }
  const hasHistory = needs.needsPostgres
  const demo = hasDemo
    ? await prepareDemo(dataDir, { isNew, hasHistory, address }).catch(printError)
    : null
  console.log(`Tributary is ready: ${config.public_url ?? address}`)
  if (demo)
    await showDemo(dataDir, demo, address).catch(error => stoppingSince || printError(error))
}

/**
 * Prints how to use the demo. A new one can be used while its history is being added. If that is
 * interrupted, the next start completes it.
 */
async function showDemo(dataDir: DataDir, demo: Demo, address: string) {
  if (demo.is_filled && (await isRemoved(dataDir, demo))) return
  console.log(instructions(demo, address))
  if (!demo.partner || demo.is_filled) return

  console.log("Adding 90 days of history to the demo program…")
  console.log(await fillDemo(dataDir, demo, address))
}

type Needs = Pick<ReturnType<typeof settings>, "needsPostgres" | "needsNats" | "needsRedis">

/** Starts the servers that the settings do not name. Returns whether the database is new. */
async function startServers(dataDir: DataDir, supervise: Supervise, needs: Needs) {
  const nats = needs.needsNats ? await natsServer(dataDir) : null
  const redis = needs.needsRedis ? await redisServer(dataDir) : null
  let isNew = false

  if (needs.needsPostgres) {
    if (!dataDir.has("postgres")) console.log("Creating the database…")
    const server = await embeddedPostgres(dataDir)
    await startServer(supervise, "postgres", server.spawn)
    await server.ready()
    env.DATABASE_URL = server.socketUrl() ?? server.url()
    isNew = server.isNew
  }
  if (nats) {
    await startServer(supervise, "nats", nats.spawn)
    for (const part of PART_NAMES) env[natsUrlVariable(part)] = nats.urls[part]
  }
  if (redis) {
    await startServer(supervise, "redis", redis.spawn)
    env.REDIS_URL = redis.url
  }
  return isNew
}

async function startServer(supervise: Supervise, name: string, spawn: Spawn) {
  const stopServer = await supervise(name, 0, spawn)
  stops.push(() => stopServer(SERVER_STOP_MS))
}

function isUp(address: string): Promise<boolean> {
  return fetch(`${address}/status`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The problems that /status reports to the operator. */
function problemsOf(address: string): Promise<string[]> {
  return fetch(`${address}/status`)
    .then(answer => answer.json() as Promise<{ problems?: string[] }>)
    .then(
      ({ problems = [] }) => problems,
      () => [],
    )
}

function printError(error: unknown): null {
  console.error(describeError(error))
  return null
}

/** Stops in order. A second Ctrl-C exits at once. */
function stop(signal: NodeJS.Signals) {
  if (!stoppingSince) {
    stoppingSince = Date.now()
    if (process.stdout.isTTY) console.log("\nStopping…")
    void end(0)
  } else if (signal === "SIGINT" && Date.now() - stoppingSince > SAME_SIGNAL_MS) {
    process.exit(1)
  }
}

/** Stops everything and exits. The first call decides the exit code. */
function end(code: number): Promise<never> {
  ending ??= stopAll().then(() => process.exit(code))
  return ending
}

async function stopAll() {
  for (const stop of stops.reverse()) await stop().catch(error => console.error(error))
}

function withinTime(stop: () => Promise<void>, timeoutMs: number) {
  return () => Promise.race([stop(), Bun.sleep(timeoutMs)])
}
