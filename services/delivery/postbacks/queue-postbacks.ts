import { call } from "../../../lib/bus/bus"
import { config } from "../../../lib/config"
import { asFault } from "../../../lib/fault"
import { findPartnerAccounts } from "../../commissions/contract"
import { sql } from "../db"
import { POSTBACK_TYPES, postbackEventOf } from "./postback-event"
import { createReceivers } from "./postback-receivers"

const PROGRAMS_MAX = 20 // looked at together
const EVENTS_MAX = 500 // of a program, in one run

/**
 * Queues postbacks of the events that were published since the last run, in the order of each
 * program's log. Several replicas may run it at once: an event makes one delivery for each postback.
 * Returns how many programs it looked at.
 */
export const queuePostbacks = () =>
  queueNewEvents().catch(error => {
    if (asFault(error).kind === "unavailable") return 0 // commissions is away: the log waits
    throw error
  })

async function queueNewEvents(): Promise<number> {
  for (let programs = 0, last = 0; ; ) {
    const behind = await findBehind(last)
    if (behind.length > 0) await queueEventsOf(behind)
    programs += behind.length
    if (behind.length < PROGRAMS_MAX) return programs
    last = behind.at(-1)!.program_id
  }
}

async function queueEventsOf(behind: Behind[]) {
  const events = await findEvents(behind)
  const accounts = await findAccounts(events)
  const queued = events.map(event => ({
    ...event,
    event: postbackEventOf(event.type),
    account_id: accounts.get(event.partner_id) ?? null,
  }))
  const counts = Map.groupBy(events, ({ program_id }) => program_id)
  const logs = behind.map(({ program_id, until }) => {
    const found = counts.get(program_id) ?? []
    const isAll = found.length < EVENTS_MAX
    return { program_id, last_sequence: isAll ? until : found.at(-1)!.sequence }
  })
  await queue(queued, logs)
}

type Behind = { program_id: number; after: number; until: number }

/** Programs with higher ids than `last` whose log goes on after the last event that was looked at. */
const findBehind = (last: number) => sql<Behind[]>`
  select
    program_id,
    coalesce(done.last_sequence, 0) as after,
    log.last_sequence as until
  from event_logs as log
  left join postback_logs as done using (program_id)
  where program_id > ${last}
    and log.last_sequence > coalesce(done.last_sequence, 0)
  order by program_id
  limit ${PROGRAMS_MAX}
`

type PublishedEvent = {
  id: number
  program_id: number
  partner_id: number
  type: string
  sequence: number
  published_at: string
}

const findEvents = (behind: Behind[]) => sql<PublishedEvent[]>`
  select event.*
  from jsonb_to_recordset(${sql.json(behind)}) as behind (
    program_id bigint, after bigint, until bigint
  )
  cross join lateral (
    select id, program_id, partner_id, type, sequence, published_at
    from events
    where program_id = behind.program_id
      and sequence > behind.after
      and sequence <= behind.until
      and type = any (${POSTBACK_TYPES}::text[])
      and partner_id is not null
    order by sequence
    limit ${EVENTS_MAX}
  ) as event
  order by event.program_id, event.sequence
`

/** The accounts of the partners of events. commissions is called only if some account has postbacks. */
async function findAccounts(events: PublishedEvent[]): Promise<Map<number, number>> {
  const [{ has_own }] = await sql<[{ has_own: boolean }]>`
    select exists (select from postbacks where account_id is not null) as has_own
  `
  const partner_ids = [...new Set(events.map(({ partner_id }) => partner_id))]
  if (!has_own || partner_ids.length === 0) return new Map()
  const { accounts } = await call(findPartnerAccounts, { partner_ids })
  return new Map(accounts.map(({ partner_id, account_id }) => [partner_id, account_id]))
}

type QueuedEvent = PublishedEvent & { event: string | null; account_id: number | null }
type Log = { program_id: number; last_sequence: number }

/**
 * Queues events for the postbacks that existed when they were published: those of the program, of its
 * partner, and of the partner's account. For a disabled one the delivery is skipped, and can be
 * replayed.
 */
const queue = (events: QueuedEvent[], logs: Log[]) =>
  sql.begin(async sql => {
    await createReceivers(sql)
    await sql`
      with subscription as (
        select event.id as event_id, event.event, event.program_id, postback.id, postback.status
        from jsonb_to_recordset(${sql.json(events as never)}) as event (
          id bigint, program_id bigint, partner_id bigint, account_id bigint, event text,
          published_at timestamptz
        )
        join postbacks as postback on
          postback.account_id is null
            and postback.program_id = event.program_id
            and (postback.partner_id is null or postback.partner_id = event.partner_id)
          or postback.account_id = event.account_id
            and (postback.program_id is null or postback.program_id = event.program_id)
        where event.event = any (postback.events)
          and event.published_at >= postback.created_at
          and event.id in (select id from events) -- it may have been pruned
        for share of postback
      )
      insert into deliveries (receiver_id, event_id, type, program_id, status, next_attempt_at)
      select
        receivers.id,
        event_id,
        event,
        subscription.program_id,
        case status when 'enabled' then 'pending' else 'skipped' end,
        case status when 'enabled' then now() + ${config.delivery.retries[0]} * interval '1 second' end
      from subscription
      join receivers on receivers.postback_id = subscription.id
      order by event_id, receivers.id
      on conflict (event_id, receiver_id) do nothing
    `
    await sql`
      insert into postback_logs as log (program_id, last_sequence)
      select program_id, last_sequence
      from jsonb_to_recordset(${sql.json(logs)}) as log (program_id bigint, last_sequence bigint)
      order by program_id
      on conflict (program_id) do update
      set last_sequence = greatest(log.last_sequence, excluded.last_sequence)
    `
  })
