import { join } from "node:path"
import postgres from "postgres"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"
import { newAdvertiser } from "../chaos/trial/advertiser"
import { httpClient } from "../chaos/trial/client"
import { type Journal, openJournal } from "../chaos/trial/journal"
import { openShop } from "../chaos/trial/shop"
import { startTraffic } from "../chaos/trial/traffic"
import { startTributary, stopTributary } from "../support/tributary-process"
import { connectionEnvironment, newPostgres } from "./postgres"
import { runProgram, unprivilegedWrapper, waitUntil } from "./process"
import { programOf } from "./programs"
import type { Stage } from "./stage"
import type { Environment } from "./system"

export const SERVICES = ["tracking", "commissions", "identity", "reporting", "delivery"] as const
export type Service = (typeof SERVICES)[number]
export type World = Awaited<ReturnType<typeof newWorld>>

const LOAD_MS = 2_000
const DRAIN_MS = 20_000
const LISTED_MAX = 3

/** A server with a database for each service, Tributary on it, and shops that send to it. */
export async function newWorld(stage: Stage) {
  const server = await newPostgres(stage, "server", "debian")
  stage.log(`${server.version}, a database for each service`)
  const urlOf = (database: string) => server.url.replace(/[^/]*$/, database)
  const sqlOf = (database: string) => postgres(urlOf(database), { max: 1, onnotice: () => {} })
  const admin = sqlOf("postgres")
  stage.onEnd(() => admin.end())
  for (const service of SERVICES) await admin`create database ${admin(service)}`

  const environment: Environment = {
    SECRET_KEY: randomText(),
    PORT: `${await freePort()}`,
    ...Object.fromEntries(
      SERVICES.map(name => [`${name.toUpperCase()}_DATABASE_URL`, urlOf(name)]),
    ),
  }
  const dataDir = join(stage.folder, "data")
  const url = `http://localhost:${environment.PORT}`
  const post = httpClient(url)
  const shops: { journal: Journal; traffic: ReturnType<typeof startTraffic> }[] = []
  let stop = async () => {}
  stage.onEnd(() => stop())

  /** `isReady` false: it will not become ready, as a service refuses its work. */
  async function start({ isReady = true } = {}) {
    const launcher = startTributary({ DATA_DIR: dataDir, PROCESSES: "one", ...environment })
    stop = async () => {
      await stopTributary(launcher)
      await Bun.write(join(stage.folder, `${Date.now()}.log`), launcher.output())
    }
    if (isReady) await launcher.ready
    else await waitUntil("the gateway answers", async () => (await fetch(`${url}/healthz`)).ok)
  }

  async function status() {
    const { problems = [], ...parts } = (await (await fetch(`${url}/status`)).json()) as {
      problems?: string[]
    }
    const down = Object.entries(parts).flatMap(([name, state]) => (state === "down" ? [name] : []))
    return { problems, down }
  }

  async function openOneShop(name: string) {
    const journal = openJournal(join(stage.folder, `${name}.jsonl`))
    const traffic = startTraffic(journal, openShop(await newAdvertiser(post, name)), post)
    stage.onEnd(traffic.stop)
    shops.push({ journal, traffic })
  }

  const run = (program: string, ...args: string[]) =>
    runProgram(
      stage,
      [...unprivilegedWrapper(stage.folder), programOf(`debian/${program}`)!, ...args],
      connectionEnvironment(server),
    )
  const fileOf = (service: Service, moment: string) =>
    join(stage.folder, `${service}-${moment}.dump`)

  return {
    stage,
    start,
    stop: () => stop(),
    status,
    sqlOf,
    openShop: openOneShop,
    system: () => ({ url, dataDir, environment, processes: async () => [], stop }),
    attempts: () => shops.flatMap(({ journal }) => journal.attempts),

    /** Lets all shops send for a while. Requests that fail are repeated from then on. */
    async sell() {
      for (const { traffic } of shops) traffic.resume()
      await Bun.sleep(LOAD_MS)
      await Promise.all(shops.map(({ traffic }) => traffic.drain(0)))
    },

    /** Waits until every request that failed has succeeded. */
    async drain() {
      const drained = await Promise.all(shops.map(({ traffic }) => traffic.drain(DRAIN_MS)))
      const pending = drained.reduce((sum, { pending }) => sum + pending, 0)
      const refused = shops
        .flatMap(({ journal }) => [...journal.requests])
        .filter(([, state]) => state === "refused")
      stage.verify("every request that failed meanwhile succeeds now", [
        ...(pending === 0 ? [] : [`${pending} never succeeded`]),
        ...refused.slice(0, LISTED_MAX).map(([{ kind, key }]) => `refused: ${kind} ${key}`),
      ])
    },

    dump: (service: Service, moment: string) =>
      run("pg_dump", "--format=custom", `--file=${fileOf(service, moment)}`, service),

    async restore(service: Service, moment: string) {
      await admin.unsafe(`drop database ${service} with (force)`)
      await admin`create database ${admin(service)}`
      await run("pg_restore", "--exit-on-error", `--dbname=${service}`, fileOf(service, moment))
    },
  }
}
