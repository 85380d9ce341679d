import type { Attempt, TrackingRequest } from "../../chaos/trial/journal"
import { newWorld, SERVICES, type Service, type World } from "../separate-databases"
import type { Trial } from "../stage"
import { auditSystem } from "../system"

const LISTED_MAX = 3

/**
 * Restores the database of one service after another to a moment before sales, partners and
 * programs that the others know, under load. What does not fit must refuse and say so, and the way
 * back of docs/backup.md must end with books that are right.
 */
export const restoredAlone: Trial = {
  name: "The database of one service restored alone",
  needs: ["debian/postgres", "debian/pg_dump", "debian/pg_restore"],
  async run(stage) {
    const world = await newWorld(stage)
    await world.start()
    await world.openShop("earlier")
    await world.sell()
    await world.stop()
    for (const service of SERVICES) await world.dump(service, "earlier")

    await world.start()
    await world.openShop("later")
    await world.sell()
    for (const service of stage.isShort ? (["commissions"] as const) : SERVICES) {
      await restoreAlone(world, service)
    }
    if (!stage.isShort) await restoreAll(world)
  },
}

/** Restores one database alone, and then to its latest moment again: the first way back. */
async function restoreAlone(world: World, service: Service) {
  const { stage } = world
  await world.stop()
  await world.dump(service, "latest")
  await world.restore(service, "earlier")
  await world.start({ isReady: false })
  const startedAt = Date.now()
  await world.sell()
  const { problems, down } = await world.status()
  const attempts = world.attempts().filter(({ sent_at }) => sent_at >= startedAt)
  const served = attempts.filter(({ request, status }) => needs(service, request) && status === 200)
  const refusals = attempts.filter(({ status }) => status !== 200)

  if (service === "reporting" || service === "delivery") {
    stage.verify(`${service}, restored alone, is served as before`, [
      ...down,
      ...problems,
      ...refusals.slice(0, LISTED_MAX).map(shown),
    ])
  } else {
    stage.verify(`${service}, restored alone, says so in /status`, [
      ...(down.join() === service ? [] : [`down: ${down.join()}`]),
      ...(problems.some(problem =>
        problem.startsWith(`${service}: its database was restored alone`),
      )
        ? []
        : problems),
    ])
    stage.verify(`${refusals.length} requests are refused, and none is served from its past`, [
      ...served.slice(0, LISTED_MAX).map(shown),
      ...(refusals.length > 0 ? [] : ["none was refused"]),
      ...refusals
        .filter(({ status }) => status !== 503 && status !== 500)
        .slice(0, LISTED_MAX)
        .map(shown),
    ])
    await world.stop()
    await world.restore(service, "latest")
    await world.start()
  }
  await world.drain()
  await verifyBooks(world)
  await auditSystem(stage, world.system())
}

/** Restores all databases to the earlier moment: the second way back. */
async function restoreAll(world: World) {
  await world.stop()
  for (const service of SERVICES) await world.restore(service, "earlier")
  await world.start()
  await auditSystem(world.stage, world.system())
}

/** Whether a request needs the service: a click, or a lead without a token, needs only tracking. */
const needs = (service: Service, { kind, token }: TrackingRequest) =>
  service === "tracking" ||
  kind === "sale" ||
  kind === "refund" ||
  (service === "identity" && token !== undefined)

const shown = ({ request, status, body }: Attempt) =>
  `${request.kind} ${request.key} ${status} ${JSON.stringify(body)}`

/** Verifies that each reply to a sale or a refund names the commission of that very sale. */
async function verifyBooks({ stage, sqlOf, attempts }: World) {
  const sql = sqlOf("commissions")
  const commissions = await sql<{ id: string; transaction_id: string }[]>`
    select id, transaction_id
    from commissions.commissions
  `
  await sql.end()
  const transactionOf = new Map(
    commissions.map(({ id, transaction_id }) => [Number(id), transaction_id]),
  )
  for (const kind of ["sale", "refund"]) {
    const answered = attempts().filter(
      ({ request, status, body }) => request.kind === kind && status === 200 && body.commission_id,
    )
    const mixed = answered.filter(
      ({ request, body }) => transactionOf.get(body.commission_id) !== request.body.transaction_id,
    )
    stage.verify(`${answered.length} replies to a ${kind} name its own commission`, [
      ...mixed.slice(0, LISTED_MAX).map(shown),
      ...(answered.length > 0 ? [] : ["there was none"]),
    ])
  }
}
