import { join } from "node:path"
import { openDatabases } from "./databases"
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

type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string> }
type Answer = { status: number; headers: Headers; body: any } // any: each test knows its reply

/**
 * Sends a request. A body that is neither text nor bytes is sent as JSON, and a JSON response is
 * parsed. Throws if the response is not as documented.
 */
export async function send(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, { method, ...encoded(options), redirect: "manual" })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json")
  const { status } = answer
  const parsed = { status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  check(method, path, parsed)
  return parsed
}

function encoded({ token, body, headers = {} }: RequestOptions): RequestInit {
  const credential: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  return isEncoded(body)
    ? { headers: { ...credential, ...headers }, body }
    : {
        headers: { "content-type": "application/json", ...credential, ...headers },
        body: JSON.stringify(body),
      }
}

const isEncoded = (body: unknown): body is BodyInit | undefined =>
  body === undefined ||
  typeof body === "string" ||
  ArrayBuffer.isView(body) ||
  body instanceof ReadableStream ||
  body instanceof FormData ||
  body instanceof Blob
