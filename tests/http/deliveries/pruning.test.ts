import { afterAll, beforeAll, expect, test } from "bun:test"
import { runAudit } from "../../support/commands"
import { type DeliverySystem, launchWithReceiver } from "../../support/delivery-system"
import { readEventLog } from "../../support/event-log"
import { eventually } from "../../support/webhook-receiver"

const RETENTION_DAYS = 7
const TIMEOUT_MS = 60_000

let system: DeliverySystem
let receiver: DeliverySystem["receiver"]
let workspace: Awaited<ReturnType<DeliverySystem["newWorkspace"]>>
beforeAll(async () => {
  system = await launchWithReceiver({ DELIVERY_RETENTION_DAYS: `${RETENTION_DAYS}` })
  receiver = system.receiver
  workspace = await system.newWorkspace()
}, TIMEOUT_MS)
afterAll(() => receiver.stop())

const prune = async () => {
  const task = system.startReplica("prune")
  await new Response(task.stdout).text()
  expect(await task.exited).toBe(0)
}
const sequences = async () => {
  const read = (path: string) => system.read(path, workspace.session)
  return (await readEventLog(read, workspace.program_id)).map(({ sequence }) => sequence)
}

async function areAllPublished() {
  const unpublished = await system.sql`
    select
    from delivery.events
    where published_at is null
    limit 1
  `
  return unpublished.count === 0
}

/** Lets the first events of the log, and all tests of endpoints, have happened so many days ago. */
async function age(events: number, days: number) {
  const at = new Date(Date.now() - days * 86_400_000).toISOString()
  const old = await system.sql<{ event_key: string }[]>`
    update delivery.events
    set at = ${at}
    where program_id = ${workspace.program_id}
      and sequence <= ${events}
    returning event_key
  `
  await system.sql`
    update identity.outgoing_events
    set at = ${at}
    where event_key = any (${old.map(({ event_key }) => event_key)}::uuid[])
  `
  await system.sql`
    update delivery.deliveries
    set created_at = ${at}
    where event_id is null
  `
}

test(
  "events and tests go with their deliveries and attempts after DELIVERY_RETENTION_DAYS, and never come again",
  async () => {
    const endpoint = await workspace.newEndpoint(receiver.url("kept"))
    const tested = await workspace.call("POST", `/${endpoint.id}/test`)
    await workspace.happenOften(5)
    await workspace.settled(endpoint, 6)

    await age(3, RETENTION_DAYS - 0.1)
    await prune()
    expect(await sequences()).toEqual([1, 2, 3, 4, 5])
    expect(await workspace.deliveries(endpoint)).toHaveLength(6)

    await age(3, RETENTION_DAYS + 0.1)
    await prune()
    expect(await sequences()).toEqual([4, 5])
    const kept = await workspace.deliveries(endpoint)
    expect(kept.map(({ type }) => type)).toEqual(["program.updated", "program.updated"])
    expect(await workspace.refusal("GET", `/${endpoint.id}/deliveries/${tested.delivery_id}`)).toBe(
      404,
    )
    const [left] = await system.sql`
      select
        (select count(*)::int from delivery.deliveries) as deliveries,
        (select count(*)::int from delivery.attempts) as attempts
    `
    expect(left).toEqual({ deliveries: 2, attempts: 2 })

    const sent = receiver.received("kept").length
    await system.sql`update delivery.cursors set cursor = null` // as after a restore
    await workspace.happenOften(1)
    await workspace.settled(endpoint, 3)
    await eventually(areAllPublished)
    expect(await sequences()).toEqual([4, 5, 6])
    expect(receiver.received("kept")).toHaveLength(sent + 1)
    await prune()
    expect(await sequences()).toEqual([4, 5, 6])

    const audit = await runAudit(system.data_dir, { DELIVERY_RETENTION_DAYS: `${RETENTION_DAYS}` })
    expect(audit.output).not.toContain("VIOLATED")
    expect(audit.code).toBe(0)
  },
  TIMEOUT_MS,
)
