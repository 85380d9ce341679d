import { saveDelivery } from "../../support/saved-delivery"
import type { Fault } from "../trial/fault"
import { KINDS } from "../trial/journal"
import type { System } from "../trial/system"
import { isAlive, pidsOf, signal, waitUntil } from "../trial/victims"

const KILLED_MS = 4_000
const FROZEN_MS = 20_000 // an attempt is given up after 15 s
const KILLS = 20
const WORKING_MS = 700 // a new replica has just begun to work

const common = { stage: "machine", recoveryMaxSeconds: 0, unaffected: KINDS } as const

/** kill -9 of a receiver of webhooks, which starts again when the fault is lifted. */
export const receiverKilled: Fault = {
  ...common,
  name: "kill -9 of a receiver",
  holdMs: KILLED_MS,
  async inject({ receivers }) {
    receivers!.signal("faulty", "SIGKILL")
    return async () => {
      await receivers!.start("faulty")
      return Date.now()
    }
  },
}

/** SIGSTOP of a receiver: connections open, but nothing is answered. */
export const receiverFrozen: Fault = {
  ...common,
  name: "SIGSTOP of a receiver",
  holdMs: FROZEN_MS,
  async inject({ receivers }) {
    receivers!.signal("faulty", "SIGSTOP")
    return async () => {
      receivers!.signal("faulty", "SIGCONT")
      return Date.now()
    }
  },
}

/**
 * Both replicas of delivery are killed again and again, then its tables are set back to what they were
 * before. Everything since then must be sent again, with the same ids, numbers and bytes.
 */
export const killsAndRestore: Fault = {
  ...common,
  name: `${KILLS} kills of delivery, then its database restored`,
  holdMs: 0,
  async inject(system) {
    const restore = await saveDelivery(system.sql)
    const from = Date.now()
    for (let kill = 0; kill < KILLS; kill++) {
      await waitUntil(() => pidsOf(system, "delivery").length === 2)
      await Bun.sleep(WORKING_MS)
      await killDelivery(system)
    }
    await restore()
    system.receivers!.killings.push({ from, until: Date.now() })
    return async () => Date.now()
  },
}

async function killDelivery(system: System) {
  const pids = pidsOf(system, "delivery")
  for (const pid of pids) signal(pid, "SIGKILL")
  await waitUntil(() => !pids.some(isAlive))
}
