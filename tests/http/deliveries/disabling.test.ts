import { afterAll, beforeAll, expect, test } from "bun:test"
import { type DeliverySystem, launchWithReceiver } from "../../support/delivery-system"
import { mailsTo } from "../../support/outbox"
import { eventually } from "../../support/webhook-receiver"

let system: DeliverySystem
let receiver: DeliverySystem["receiver"]
beforeAll(async () => {
  system = await launchWithReceiver()
  receiver = system.receiver
}, 60_000)
afterAll(() => receiver.stop())

const disableFailing = async () => {
  const task = system.startReplica("disable-failing")
  return Number(await new Response(task.stdout).text())
}

test("410 disables an endpoint, and the others that may know of it get an event", async () => {
  const workspace = await system.newWorkspace()
  receiver.answer("gone", () => new Response("", { status: 410 }))
  const only = { program_ids: [workspace.program_id] }
  const gone = await workspace.newEndpoint(receiver.url("gone"))
  const informed = await workspace.newEndpoint(receiver.url("informed"), {
    events: ["endpoint.disabled"],
  })
  const limited = await workspace.newEndpoint(receiver.url("limited"), only)
  const off = await workspace.newEndpoint(receiver.url("off"))
  await workspace.call("POST", `/${off.id}/disable`)
  await workspace.happen()

  const [failed] = await workspace.settled(gone, 1)
  expect(failed).toMatchObject({ status: "failed", attempts: [{ response_status: 410 }] })
  await workspace.settled(informed, 1)
  const [notice] = receiver.received("informed")
  const shown = await workspace.call("GET", `/${gone.id}`)
  expect(shown.status).toBe("disabled")
  expect(JSON.parse(notice!.body)).toMatchObject({
    type: "endpoint.disabled",
    sequence: null,
    program_id: null,
    test: false,
    data: { ...shown, previous: { status: "enabled" } },
  })
  expect(await workspace.deliveries(limited)).toHaveLength(1) // of the program alone
  expect(await workspace.deliveries(off)).toMatchObject([{ type: "program.updated" }])
  const logged = await system.sql`
    select
    from delivery.events
    where type = 'endpoint.disabled'
  `
  expect(logged).toHaveLength(0)
  const [entry] = await system.sql`
    select actor_kind, action, details
    from delivery.audit_entries
    where subject_id = ${gone.id} and action = 'webhook_endpoint.disable'
  `
  expect(entry).toEqual({
    actor_kind: "system",
    action: "webhook_endpoint.disable",
    details: { status: "disabled" },
  })
  const message = `A webhook endpoint at ${new URL(receiver.url("gone")).host} was disabled: it returned 410 Gone. Events are kept and can be replayed.`
  const notifications = async () =>
    (await system.read("/api/advertiser/notifications", workspace.session)).data
  const [notification] = await eventually(async () => {
    const all = await notifications()
    return all.length > 0 && all
  })
  expect(notification).toMatchObject({
    kind: "endpoint_disabled",
    program_id: null,
    commission_id: null,
    message,
    read_at: null,
  })
  const path = `/api/advertiser/notifications/${notification.id}/read`
  const stranger = await system.newWorkspace()
  const markAs = async ({ session: token }: { session: string }) =>
    (await system.request("POST", path, { token })).status
  expect(await markAs(stranger)).toBe(404)
  expect(await markAs(workspace)).toBe(200)
  expect(await notifications()).toMatchObject([
    { id: notification.id, read_at: expect.any(String) },
  ])

  const [mail] = await mailsTo(system.data_dir, workspace.email)
  expect(mail!.subject).toBe("Webhook disabled")
  expect(mail!.text).toStartWith(`${message}\n`)
})

test("five days of failures with ten events disable an endpoint, a success in between does not", async () => {
  const workspace = await system.newWorkspace()
  receiver.answer("down", () => new Response("", { status: 500 }))
  const down = await workspace.newEndpoint(receiver.url("down"))
  const few = await workspace.newEndpoint(receiver.url("down"), { events: ["partner.approved"] })
  const up = await workspace.newEndpoint(receiver.url("up"))
  await workspace.happenOften(9, "partner.approved")
  await workspace.happenOften(1)
  for (const endpoint of [down, up]) await workspace.settled(endpoint, 10, 60_000)
  await workspace.settled(few, 9, 60_000)
  expect(await disableFailing()).toBe(0)

  await system.sql`
    update delivery.receivers
    set failing_since = failing_since - interval '5 days'
    where endpoint_id = any (${[down.id, few.id, up.id]})
  `
  expect(await disableFailing()).toBe(1)
  const statuses = await Promise.all(
    [down, few, up].map(async ({ id }) => (await workspace.call("GET", `/${id}`)).status),
  )
  expect(statuses).toEqual(["disabled", "enabled", "enabled"])
  await eventually(() =>
    receiver.received("up").some(({ body }) => JSON.parse(body).type === "endpoint.disabled"),
  )
  const [mail] = await mailsTo(system.data_dir, workspace.email)
  expect(mail!.text).toStartWith(
    `A webhook endpoint at ${new URL(receiver.url("down")).host} was disabled: it has failed for five days. `,
  )
  await workspace.call("POST", `/${down.id}/enable`)
  expect(await disableFailing()).toBe(0) // the five days begin again
}, 120_000)
