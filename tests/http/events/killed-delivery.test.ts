import { expect, test } from "bun:test"
import { readEventLog, untilPublished, writtenEventIds } from "../../support/event-log"
import { openShop } from "../../support/own-shop"
import { launchOwnSystem } from "../../support/own-system"

const TIMEOUT_MS = 120_000
const KILLS = 8
const KILL_PAUSE_MS = 700 // a new replica has just begun to work
const SALES_AT_ONCE = 4

test.skipIf(!Bun.which("nats-server"))(
  "no event is lost or doubled while both replicas of delivery are killed again and again",
  async () => {
    const system = await launchOwnSystem({ PROCESSES: "separate", REPLICAS: "2" })
    const shop = await openShop(system)
    let isKilling = true
    const refused: unknown[] = []
    const keepSelling = async () => {
      while (isKilling) {
        const { status, reply } = await shop.sell(1_000)
        if (status !== 200) refused.push(reply)
      }
    }
    const selling = Promise.all(Array.from({ length: SALES_AT_ONCE }, keepSelling))
    for (let kill = 0; kill < KILLS; kill++) {
      await Bun.sleep(KILL_PAUSE_MS)
      const replicas = (await system.processes()).filter(({ name }) => name === "delivery")
      for (const { pid } of replicas) process.kill(pid, "SIGKILL")
    }
    isKilling = false
    await selling
    expect(refused).toEqual([])

    await untilPublished(system.sql, shop.program_id)
    const read = (path: string) => system.read(path, shop.session)
    const events = await readEventLog(read, shop.program_id)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
    expect(events.map(({ id }) => id).toSorted()).toEqual(
      await writtenEventIds(system.sql, shop.program_id),
    )
    await system.stop()
  },
  TIMEOUT_MS,
)
