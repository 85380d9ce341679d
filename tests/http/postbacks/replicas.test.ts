import { expect, test } from "bun:test"
import { OWN, openTrackedShop } from "../../support/tracked-shop"
import { parametersOf, type Received } from "../../support/tracker"
import { eventually } from "../../support/webhook-receiver"

const TIMEOUT_MS = 240_000
const SALES = 30
const KILLS = 4
const KILL_PAUSE_MS = 700 // a new replica has just begun to work

const eventsOf = (received: Received[]) => received.map(one => parametersOf(one).ev!)

test.skipIf(!Bun.which("nats-server"))(
  "B3: two replicas send one postback of each event, and lose none when they are killed",
  async () => {
    const world = await openTrackedShop(() => 200, { PROCESSES: "separate", REPLICAS: "2" })
    const { tracker, system, session, account, ofPartner, ofProgram, buy } = world
    const fields = { events: ["sale"] }
    const query = "?ev={event_id}&r={random}"
    const postbacks = [
      await world.newPostback(OWN, account, `/own${query}`, fields),
      await world.newPostback(ofPartner(), session, `/one${query}`, fields),
      await world.newPostback(ofProgram, session, `/all${query}`, fields),
    ]
    const names = ["/own", "/one", "/all"]
    const buyOften = () => Promise.all(Array.from({ length: SALES }, () => buy()))

    await buyOften()
    for (const postback of postbacks) await postback.settled(SALES)
    for (const name of names) {
      expect(tracker.at(name)).toHaveLength(SALES)
      expect(new Set(eventsOf(tracker.at(name))).size).toBe(SALES)
    }

    const buying = buyOften()
    for (let kill = 0; kill < KILLS; kill++) {
      await Bun.sleep(KILL_PAUSE_MS)
      const replicas = (await system.processes()).filter(({ name }) => name === "delivery")
      for (const { pid } of replicas) process.kill(pid, "SIGKILL")
    }
    await buying
    await eventually(async () => {
      const deliveries = await system.sql`
        select
        from delivery.deliveries
        where status = 'delivered'
      `
      return deliveries.length === 2 * SALES * postbacks.length
    }, 120_000)
    for (const name of names) {
      const received = tracker.at(name)
      expect(new Set(eventsOf(received)).size).toBe(2 * SALES)
      expect(new Set(received.map(({ path }) => path)).size).toBe(2 * SALES) // each the same again
    }
    tracker.stop()
    await system.stop()
  },
  TIMEOUT_MS,
)
