import { call } from "../../../lib/bus/bus"
import type { Fragment } from "../../../lib/db/database"
import { asFault } from "../../../lib/fault"
import { numberEvents } from "../../identity/contract"
import { sql } from "../db"
import { recordNotices } from "../notices/record-notices"
import { queueDeliveries } from "../queue/queue-deliveries"
import { readEvents } from "./event-feeds"

const NUMBERED_MAX = 1_000 // at once
const WAITING_MAX = 1_000 // looked at at once
const ROUNDS_MAX = 10 // of a backlog, before the next pause

/**
 * Reads and publishes what is new, in the order of its numbers. Several replicas may run it at once.
 * Returns how many events were published.
 */
export async function publishEvents(): Promise<number> {
  let published = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const more = await publishNewEvents().catch(zeroIfUnavailable)
    published += more
    if (more < NUMBERED_MAX) break
  }
  return published
}

/** The log and /status of what is unavailable show it. */
function zeroIfUnavailable(error: unknown): number {
  if (asFault(error).kind === "unavailable") return 0
  throw error
}

/**
 * An event waits if one with a lower number is missing, for example while a restored database reads
 * the feeds again. It was in the database when the waiting one got its number, so if it is not found
 * once all feeds are read, it will not come any more.
 */
async function publishNewEvents(): Promise<number> {
  const wasWaiting = await hasUnpublished(sql`sequence is not null`)
  const isComplete = await readEvents()
  if (!wasWaiting && !(await hasUnpublished(sql`sequence is null`))) return 0

  const numbered = await numberNewEvents()
  const published = await publish(numbered, false)
  if (!wasWaiting || !isComplete || numbered.length === NUMBERED_MAX) return published
  return published + (await publish([], true))
}

async function hasUnpublished(condition: Fragment): Promise<boolean> {
  const found = await sql`
    select
    from events
    where published_at is null
      and ${condition}
    limit 1
  `
  return found.count > 0
}

/**
 * Has identity number the oldest events without a number, in the order of their times, but those
 * about the same kind of object as they came. Each event gets the same number again, so nothing is
 * lost if this process ends before it is stored. Numbers begin above all known here.
 */
async function numberNewEvents(): Promise<Numbered[]> {
  const events = await sql<NewEvent[]>`
    with new as (
      select id, program_id, event_key, at, split_part(type, '.', 1) as noun
      from events
      where published_at is null
        and sequence is null
      order by id
      limit ${NUMBERED_MAX}
    ),
    known as (
      select
        program_id,
        greatest(0, max(last_sequence), max(numbered.sequence)) as after
      from (select distinct program_id from new) as program
      left join event_logs using (program_id)
      left join lateral (
        select sequence
        from events
        where events.program_id = program.program_id
          and sequence is not null
        order by sequence desc
        limit 1
      ) as numbered on true
      group by program_id
    )
    select program_id, event_key, after
    from new
    join known using (program_id)
    order by max(at) over (partition by noun order by id), id
  `
  const programs = Map.groupBy(events, ({ program_id, after }) => `${program_id} ${after}`)
  return (await Promise.all([...programs.values()].map(numberProgramEvents))).flat()
}

type NewEvent = { program_id: number; event_key: string; after: number }

async function numberProgramEvents(events: NewEvent[]): Promise<Numbered[]> {
  const { program_id, after } = events[0] as NewEvent
  const event_ids = events.map(({ event_key }) => event_key)
  const { numbers, ...program } = await call(numberEvents, { program_id, after, event_ids })
  return numbers.map(({ event_id: event_key, sequence }) => ({
    ...{ event_key, sequence, program_id },
    ...program,
  }))
}

type Numbered = {
  event_key: string
  sequence: number
  program_id: number
  workspace_id: number
  wants_sale_notices: boolean
}

/**
 * Stores numbers, and publishes what follows the last event in the log of its program, without a gap
 * unless `skipsGaps`. The same transaction queues its deliveries and records its notices. An event
 * below the last one was published and pruned before, and its owner has sent it again.
 */
const publish = (numbered: Numbered[], skipsGaps: boolean): Promise<number> =>
  sql.begin(async sql => {
    await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.publish'))`
    const published = await sql<{ id: number }[]>`
      with waiting as (
        (
          select id, program_id, sequence, workspace_id
          from events
          where published_at is null
            and sequence is not null
          order by sequence
          limit ${WAITING_MAX}
        )
        union all
        select id, program_id, numbered.sequence, numbered.workspace_id
        from jsonb_to_recordset(${sql.json(numbered)}) as numbered (
          event_key uuid, sequence bigint, workspace_id bigint
        )
        join events using (event_key)
        where events.sequence is null
      ),
      placed as (
        select
          waiting.*,
          sequence > last_sequence as is_ahead,
          ${skipsGaps}::boolean or sequence = last_sequence + row_number() over (
            partition by program_id, sequence > last_sequence
            order by sequence
          ) as is_next
        from (
          select waiting.*, coalesce(last_sequence, 0) as last_sequence
          from waiting
          left join event_logs using (program_id)
        ) as waiting
      ),
      repeated as (
        delete from events
        using placed
        where events.id = placed.id
          and not is_ahead
      ),
      stored as (
        update events
        set
          sequence = placed.sequence,
          workspace_id = placed.workspace_id,
          published_at = case when is_next then now() end
        from placed
        where events.id = placed.id
          and is_ahead
          and (is_next or events.sequence is null)
        returning events.id, events.program_id, events.sequence, published_at
      ),
      logged as (
        insert into event_logs (program_id, last_sequence)
        select program_id, max(sequence)
        from stored
        where published_at is not null
        group by program_id
        on conflict (program_id) do update
        set last_sequence = excluded.last_sequence
      )
      select id
      from stored
      where published_at is not null
      order by id
    `
    await queueDeliveries(sql, published)
    const unwanted = numbered.filter(({ wants_sale_notices }) => !wants_sale_notices)
    await recordNotices(sql, published, new Set(unwanted.map(({ program_id }) => program_id)))
    return published.length
  })
