import { join } from "node:path"
import { openDatabases } from "./databases"
import { documentationOf } from "./documented"
import { launchForAll } from "./launcher"

const { PROCESSES = "one", REPLICAS = "1", WORLD = "{}" } = process.env
/** The servers to use, where tests/operations has started them. */
const { environment = {}, databases } = JSON.parse(WORLD)
const launcher = await launchForAll({ PROCESSES, REPLICAS, ...environment })

/** The whole of Tributary, started for the first test file that asks and shared by all. */
export const url = await launcher.ready
export const { data_dir } = launcher
/** For commands: what they need beside `data_dir` to reach the same servers. */
export const reached: Record<string, string> = environment

const check = await documentationOf(url)

const embedded = async () => (await Bun.file(join(data_dir, "postgres.json")).json()).url

/** Where tracking's schema is, for its superuser. */
export const database_url: string = databases?.tracking ?? databases ?? (await embedded())

/** The database as its superuser sees it. */
export const sql = openDatabases(databases ?? database_url)

type Sent = { token?: string; body?: unknown; headers?: Record<string, string> }
type Answer = { status: number; headers: Headers; body: any } // any: each test knows what it asked

/**
 * Sends a request. A body that is neither text nor bytes goes as JSON, and JSON comes parsed. An
 * answer that is not as documented throws.
 */
export async function send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, { method, ...encoded(sent), redirect: "manual" })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json")
  const { status } = answer
  const answered = { status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  check(method, path, answered)
  return answered
}

function encoded({ token, body, headers = {} }: Sent): RequestInit {
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
