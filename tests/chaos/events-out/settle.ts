import type { Scene } from "../trial/trial"

const POLL_MS = 500
const TIMEOUT_MS = 120_000
const ATTEMPT_SECONDS_MAX = 20
const LEASE_SECONDS = 45

/**
 * Waits until every event of the program is published and none of its deliveries is pending. Attempts
 * of killed replicas are made again when their leases end; `is_short` ends these as soon as no attempt
 * can be in progress any more. Returns what is still left after two minutes, as sentences.
 */
export async function settle(scene: Scene, is_short: boolean): Promise<string[]> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    if (is_short) await endAbandonedLeases(scene)
    const { unpublished, pending } = await countLeft(scene)
    if (unpublished + pending === 0) return []
    if (Date.now() > deadline) {
      return [
        `after two minutes ${unpublished} events are unpublished, ${pending} deliveries pending`,
      ]
    }
    await Bun.sleep(POLL_MS)
  }
}

const endAbandonedLeases = ({ system: { sql } }: Scene) => sql`
  update delivery.leases
  set until = now()
  where until < now() + ${LEASE_SECONDS - ATTEMPT_SECONDS_MAX} * interval '1 second'
`

async function countLeft({ system: { sql }, advertiser: { program_id } }: Scene) {
  const [left] = await sql<[{ unpublished: number; pending: number }]>`
    select
      (
        select count(*)
        from (
          select event_key from identity.outgoing_events where program_id = ${program_id}
          union all
          select event_key from tracking.outgoing_events where program_id = ${program_id}
          union all
          select event_key from commissions.outgoing_events where program_id = ${program_id}
        ) as written
        where not exists (
          select
          from delivery.events
          where events.event_key = written.event_key
            and published_at is not null
        )
      ) as unpublished,
      (
        select count(*)
        from delivery.deliveries
        where program_id = ${program_id}
          and status = 'pending'
      ) as pending
  `
  return left
}
