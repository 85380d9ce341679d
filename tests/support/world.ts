import { join } from "node:path"
import { openDatabases } from "./databases"
import { httpClient, type Reply, type RequestOptions } from "./http"
import { launchForAll } from "./launcher"
import { openapiChecker } from "./openapi-checker"

const { PROCESSES = "one", REPLICAS = "1", WORLD = "{}" } = process.env
/** The servers to use, if tests/operations has started them. */
const { environment = {}, databases } = JSON.parse(WORLD)
const launcher = await launchForAll({ PROCESSES, REPLICAS, ...environment })

/** The URL of the whole Tributary, started for the first test file that imports it and shared by all. */
export const url = await launcher.ready
export const { data_dir } = launcher
/** The environment that commands need besides `data_dir` to reach the same servers. */
export const serverEnvironment: Record<string, string> = environment

const check = await openapiChecker(url)

const embedded = async () => (await Bun.file(join(data_dir, "postgres.json")).json()).url

/** The superuser's URL of the database with tracking's schema. */
export const database_url: string = databases?.tracking ?? databases ?? (await embedded())

/** The database, as superuser. */
export const sql = openDatabases(databases ?? database_url)

const request = httpClient(url)

/** Sends a request and parses the response (http.ts). Throws if the response is not as documented. */
export async function send(method: string, path: string, options?: RequestOptions): Promise<Reply> {
  const reply = await request(method, path, options)
  check(method, path, reply)
  return reply
}
