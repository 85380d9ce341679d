import { join } from "node:path"
import { freePort } from "../../../deploy/port"
import { DIES_WITH_PARENT } from "../../../deploy/unprivileged"
import type { httpClient } from "../trial/client"
import { isOpen, type Received, readReceived } from "./received"
import type { Behavior, ReceiverSettings } from "./receiver"

const ROOT = join(import.meta.dir, "../../..")
const ENDPOINTS = "/api/advertiser/webhook-endpoints"

/** Each at an address of its own. Faults hit only the one that is called `faulty`. */
const RECEIVERS = [
  { name: "steady", address: "127.66.0.1", behavior: "prompt", events: ["*"] },
  { name: "faulty", address: "127.66.0.2", behavior: "prompt", events: ["sale.recorded"] },
  {
    name: "slow",
    address: "127.66.0.3",
    behavior: "slow",
    events: ["commission.reversed"],
  },
  { name: "erring", address: "127.66.0.4", behavior: "erring", events: ["refund.recorded"] },
] as const satisfies { name: string; address: string; behavior: Behavior; events: string[] }[]

export type Killing = { from: number; until: number } // ms since 1970
export type ReceiverName = (typeof RECEIVERS)[number]["name"]
export type Receivers = Awaited<ReturnType<typeof prepareReceivers>>

/** Prepares receivers of webhooks. Tributary must be started with their `environment`. */
export async function prepareReceivers(folder: string) {
  const port = await freePort()
  const settings = new Map<ReceiverName, ReceiverSettings>()
  const processes = new Map<ReceiverName, Bun.Subprocess>()
  const journalOf = (name: ReceiverName) => join(folder, `${name}.jsonl`)

  async function start(name: ReceiverName) {
    const command = [process.execPath, join(import.meta.dir, "receiver.ts")]
    const child = Bun.spawn([...DIES_WITH_PARENT, ...command, JSON.stringify(settings.get(name))], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    })
    processes.set(name, child)
    await child.stdout.getReader().read() // it is ready
  }

  return {
    environment: {
      DELIVERY_ALLOW_HTTP: "on",
      DELIVERY_PORTS: `${port}`,
      DELIVERY_RETRIES: "0s,1s,1s,1s,1s,1s",
    },
    start,

    /** Creates their endpoints in the workspace of a session, and starts them. */
    async subscribe(post: ReturnType<typeof httpClient>, session: string) {
      for (const { name, address: hostname, behavior, events } of RECEIVERS) {
        const url = `http://${hostname}:${port}/${name}`
        const { status, body } = await post(ENDPOINTS, { url, events }, session)
        if (status !== 201) throw new Error(`POST ${ENDPOINTS}: ${status} ${JSON.stringify(body)}`)
        const { secret } = body.data as { secret: string }
        settings.set(name, { hostname, port, behavior, secret, journal: journalOf(name) })
        await start(name)
      }
    },

    /** The times in which delivery was killed again and again, so that it could try nothing again. */
    killings: [] as Killing[],

    /** Whether the slow one has a request that it has not answered yet. */
    isBusy: () => readReceived(journalOf("slow")).some(isOpen),

    signal(name: ReceiverName, signal: NodeJS.Signals) {
      processes.get(name)!.kill(signal)
    },

    /** What each has received so far. */
    received: () =>
      Object.fromEntries(
        RECEIVERS.map(({ name }) => [name, readReceived(journalOf(name))]),
      ) as Record<ReceiverName, Received[]>,

    stop() {
      for (const child of processes.values()) child.kill("SIGKILL")
    },
  }
}
