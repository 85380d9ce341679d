import { join } from "node:path"
import { launchOwnSystem } from "./own-system"
import { eventually, startReceiver } from "./webhook-receiver"

const ENDPOINTS = "/api/advertiser/webhook-endpoints"
const REPLICA = join(import.meta.dir, "delivery-replica.ts")
const SECRET_KEY = "the secret key of a test of deliveries"
const PROGRAMS = "/api/advertiser/affiliate-programs"

let count = 0

/**
 * Starts a Tributary of a test file's own that may send to a receiver of it, and to other ports that
 * `environment` allows. It retries at once.
 */
export async function launchWithReceiver(environment: Record<string, string> = {}) {
  const receiver = await startReceiver()
  const ports = [receiver.environment.DELIVERY_PORTS, environment.DELIVERY_PORTS]
  const settings = {
    ...receiver.environment,
    SECRET_KEY,
    DELIVERY_RETRIES: "0s,1s,1s",
    ...environment,
    DELIVERY_PORTS: ports.filter(Boolean).join(","),
  }
  const system = await launchOwnSystem(settings)

  async function request(method: string, path: string, token?: string, body?: object) {
    const reply = await system.request(method, path, { token, body })
    if (reply.status < 300) return reply.body.data
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }

  /** A workspace with a program, and how to change its endpoints. */
  async function newWorkspace() {
    const email = `owner-${++count}-${Date.now()}@example.com`
    const account = { email, password: "correct horse battery", name: "Owner" }
    const { token, workspace } = await request("POST", "/api/auth/sign-up", undefined, account)
    const { id: program_id, api_token } = await request("POST", PROGRAMS, token, {
      name: `Program ${count}`,
      website_url: "https://shop.example",
    })
    const call = (method: string, path: string, body?: object) =>
      request(method, `${ENDPOINTS}${path}`, token, body)
    const newEndpoint = (url: string, fields: object = {}) =>
      call("POST", "", { url, events: ["*"], ...fields }) as Promise<Endpoint>
    const refusal = async (method: string, path: string, body?: object) =>
      (await system.request(method, `${ENDPOINTS}${path}`, { token, body })).status

    /** A change of the program, which is an event. */
    const happen = () =>
      request("PUT", `${PROGRAMS}/${program_id}`, token, { name: `Program ${++count}` })

    /** Adds events of the program to identity's feed, as if so many changes had been made. */
    const happenOften = (events: number, type = "program.updated") => system.sql`
      insert into identity.outgoing_events (program_id, type, data)
      select ${program_id}, ${type}, jsonb_build_object('id', ${program_id}::bigint, 'n', n)
      from generate_series(1, ${events}::int) as n
    `
    const deliveries = async (endpoint: Endpoint, query = ""): Promise<any[]> =>
      call("GET", `/${endpoint.id}/deliveries?pageSize=100${query}`)
    /** The deliveries of an endpoint, once all of them are final and as many as expected. */
    const settled = (endpoint: Endpoint, expected: number, within_ms?: number) =>
      eventually(async () => {
        const all = await deliveries(endpoint)
        const isFinal = all.every(({ status }) => status !== "pending")
        return isFinal && all.length === expected ? all : null
      }, within_ms)

    return {
      session: token as string,
      email,
      workspace_id: workspace.id as number,
      program_id: program_id as number,
      api_token: api_token as string,
      call,
      refusal,
      newEndpoint,
      happen,
      happenOften,
      deliveries,
      settled,
    }
  }

  /** Starts another replica of what delivers, or runs a task of it. */
  const startReplica = (task = "") =>
    Bun.spawn([process.execPath, REPLICA, task], {
      env: {
        ...process.env,
        DELIVERY_PRIVATE_NETWORKS: "127.66.0.0/16",
        ...settings,
        DATABASE_URL: system.database,
      },
      stdio: ["ignore", "pipe", "inherit"],
    })
  return { ...system, receiver, newWorkspace, startReplica }
}

export type DeliverySystem = Awaited<ReturnType<typeof launchWithReceiver>>
export type Endpoint = { id: number; secret: string; status: string }
