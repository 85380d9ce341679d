import { afterAll, beforeAll, expect, test } from "bun:test"
import { OWN, openTrackedShop, type TrackedShop } from "../../support/tracked-shop"
import { eventually } from "../../support/webhook-receiver"

const EVENTS = 300
const ANSWER_MS = 20

let world: TrackedShop
beforeAll(async () => {
  const slowly = () => Bun.sleep(ANSWER_MS).then(() => 200)
  world = await openTrackedShop(slowly)
}, 60_000)
afterAll(() => world.tracker.stop())

/** Adds events of a commission to commissions' feed, as if it had been approved so often. */
async function approveOften(commission_id: number) {
  await world.system.sql`
    insert into commissions.outgoing_events (program_id, partner_id, type, data)
    select program_id, partner_id, 'commission.approved', data
    from commissions.outgoing_events
    cross join generate_series(1, ${EVENTS}::int)
    where type = 'commission.created'
      and (data ->> 'id')::bigint = ${commission_id}
  `
}

type Change = [method: string, body?: object]

test.each<[string, () => Change]>([
  ["disabled", () => ["PUT", { status: "disabled" }]],
  ["deleted", () => ["DELETE"]],
  ["narrowed to another event", () => ["PUT", { events: ["paid"] }]],
  ["moved", () => ["PUT", { url: `${world.tracker.url}/new/place` }]],
  ["given another template", () => ["PUT", { url: `${world.tracker.url}/new/parameter?a={sub1}` }]],
])(
  "W5: a postback that is %s gets no request as before after the reply",
  async (what, change) => {
    const { tracker, system, account, buy } = world
    const path = `/${what.replaceAll(" ", "-")}`
    const { commission_id } = await buy()
    const postback = await world.newPostback(OWN, account, path, { events: ["approved"] })
    await approveOften(commission_id)
    await tracker.until(10, path)
    const [method, body] = change()
    await postback.call(method, "", body)
    const sent = tracker.at(path).length
    expect(sent).toBeLessThan(EVENTS)

    const pending = () => system.sql`
      select
      from delivery.deliveries
      join delivery.receivers on receivers.id = receiver_id
      where status = 'pending'
        and (postback_id = ${postback.id} or postback_id is null)
    `
    await eventually(async () => (await pending()).length === 0, 60_000)
    expect(tracker.at(path)).toHaveLength(sent)
    if (method === "DELETE") return
    const statuses = await system.sql`
      select status, count(*)::int as deliveries
      from delivery.deliveries
      where receiver_id in (select id from delivery.receivers where postback_id = ${postback.id})
      group by status
      order by status
    `
    const moved = [{ status: "delivered", deliveries: EVENTS }]
    const narrowed = [
      { status: "delivered", deliveries: sent },
      { status: "skipped", deliveries: EVENTS - sent },
    ]
    expect([...statuses]).toEqual(body && "url" in body ? moved : narrowed)
    await postback.remove()
  },
  120_000,
)
