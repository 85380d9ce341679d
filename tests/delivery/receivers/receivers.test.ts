import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { freePort } from "../../../deploy/port"
import {
  type DeliverySystem,
  type Endpoint,
  launchWithReceiver,
} from "../../support/delivery-system"
import { type GuideReceiver, RECEIVERS, startGuideReceiver } from "./guide-receiver"

const SYSTEM_START_MS = 60_000
const DELIVERED_MS_MAX = 20_000 // on a loaded machine
const TEST_MS_MAX = 5 * DELIVERED_MS_MAX

const ports = await Promise.all(RECEIVERS.map(() => freePort()))

let system: DeliverySystem
beforeAll(async () => {
  system = await launchWithReceiver({
    PROCESSES: "one",
    REPLICAS: "1",
    DELIVERY_PORTS: ports.join(","),
    DELIVERY_RETRIES: "0s,1s",
  })
}, SYSTEM_START_MS)
afterAll(() => system?.receiver.stop())

describe.each(RECEIVERS.map((receiver, i) => [...receiver, ports[i]!] as const))(
  "the receiver for %s",
  (_name, program, args, port) => {
    const isInstalled = Bun.which(program) !== null
    let receiver: GuideReceiver
    let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
    let endpoint: Endpoint
    let event: { id: string; body: string; headers: Record<string, string>; delivery_id: number }

    beforeAll(async () => {
      if (!isInstalled) return
      workspace = await system.newWorkspace()
      endpoint = await workspace.newEndpoint(`http://127.66.0.1:${port}/webhooks`)
      receiver = await startGuideReceiver([program, ...args(port)], port, endpoint.secret)
    }, SYSTEM_START_MS)
    afterAll(() => receiver?.stop())

    /** Makes an event. Returns its delivery, which is the last of so many. */
    async function deliver(expected: number) {
      await workspace.happen()
      const [delivery] = await workspace.settled(endpoint, expected, DELIVERED_MS_MAX)
      return delivery
    }

    /** Signs the event's body as if it were another event, which was sent so many seconds ago. */
    function signed(seconds: number, secret = endpoint.secret) {
      const [id, at] = [`evt_${crypto.randomUUID()}`, new Date(Date.now() - seconds * 1_000)]
      return {
        "webhook-id": id,
        "webhook-timestamp": `${Math.floor(at.getTime() / 1_000)}`,
        "webhook-signature": new Webhook(secret).sign(id, at, event.body),
      }
    }

    test.skipIf(!isInstalled)(
      "stores an event as it was sent, and answers 2xx",
      async () => {
        const { id, event_id, status, attempts } = await deliver(1)
        expect({ status, attempts }).toMatchObject({
          status: "delivered",
          attempts: [{ response_status: 204 }],
        })
        const shown = await workspace.call("GET", `/${endpoint.id}/deliveries/${id}`)
        event = { id: event_id, body: shown.body, ...shown.attempts[0], delivery_id: id }
        expect(await receiver.stored()).toEqual({ [event.id]: event.body })
      },
      TEST_MS_MAX,
    )

    test.skipIf(!isInstalled)(
      "ignores an event that is replayed",
      async () => {
        await workspace.call("POST", `/${endpoint.id}/deliveries/${event.delivery_id}/replay`)
        const [delivery] = await workspace.settled(endpoint, 1, DELIVERED_MS_MAX)
        expect(delivery.attempts.map((one: any) => one.response_status)).toEqual([204, 204])
        expect(await receiver.stored()).toEqual({ [event.id]: event.body })
      },
      TEST_MS_MAX,
    )

    test.skipIf(!isInstalled)("refuses what is forged, late or early", async () => {
      const genuine = signed(0)
      const signature = genuine["webhook-signature"]
      const forged: [string, Record<string, string>, body?: string][] = [
        ["another body", genuine, event.body.replace("{", "{ ")],
        ["another id", { ...genuine, "webhook-id": "evt_other" }],
        ["another time", { ...genuine, "webhook-timestamp": signed(1)["webhook-timestamp"] }],
        ["another secret", signed(0, `whsec_${btoa("another secret of thirty-two bytes")}`)],
        ["an unknown version", { ...genuine, "webhook-signature": signature.replace("v1", "v2") }],
        ["no version", { ...genuine, "webhook-signature": signature.replace("v1,", "") }],
        ["an empty signature", { ...genuine, "webhook-signature": "v1," }],
        ["letters beyond ASCII", { ...genuine, "webhook-signature": "v1,é" }],
        ["no signature", { ...genuine, "webhook-signature": "" }],
        ["no headers", {}],
        ["sent six minutes ago", signed(360)],
        ["sent in an hour", signed(-3_600)],
      ]
      const before = await receiver.stored()
      for (const [what, headers, body = event.body] of forged) {
        expect([what, await receiver.post(headers, body)]).toEqual([what, 401])
      }
      expect(await receiver.stored()).toEqual(before)
    })

    test.skipIf(!isInstalled)("accepts an event if any of its signatures is right", async () => {
      const others = [signed(0), signed(0)].map(headers => headers["webhook-signature"])
      for (const headers of [signed(120), signed(0)]) {
        const all = [others[0], `v1a,${"x".repeat(88)}`, headers["webhook-signature"], others[1]]
        const request = { ...headers, "webhook-signature": all.join(" ") }
        expect(await receiver.post(request, event.body)).toBe(204)
        expect(await receiver.stored()).toMatchObject({ [headers["webhook-id"]]: event.body })
      }
    })

    test.skipIf(!isInstalled)(
      "loses nothing while its secret is replaced",
      async () => {
        const { secret } = await workspace.call("POST", `/${endpoint.id}/rotate-secret`)
        expect(await deliver(2)).toMatchObject({ status: "delivered" })
        await receiver.restart(secret)
        expect(await deliver(3)).toMatchObject({ status: "delivered" })

        await system.sql`
        update delivery.webhook_secrets
        set valid_until = now()
        where endpoint_id = ${endpoint.id} and valid_until is not null
      `
        expect(await deliver(4)).toMatchObject({ status: "delivered" })
        await receiver.restart(endpoint.secret)
        const refused = await deliver(5)
        expect(refused).toMatchObject({
          status: "failed",
          attempts: [{ response_status: 401 }, {}],
        })
        expect(await receiver.stored()).not.toHaveProperty(refused.event_id)
      },
      TEST_MS_MAX,
    )
  },
)
