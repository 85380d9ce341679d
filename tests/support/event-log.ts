import type postgres from "postgres"

const PAUSE_MS = 20

type LoggedEvent = { id: string; type: string; sequence: number; data: any } // any: of any kind

/** All events in the log of a program, read page by page. `read` gets a path. */
export async function readEventLog(
  read: (path: string) => Promise<any>, // any: the body of the reply
  program_id: number,
  pageSize = 100,
): Promise<LoggedEvent[]> {
  const path = `/api/advertiser/affiliate-programs/${program_id}/event-log?pageSize=${pageSize}`
  const events: LoggedEvent[] = []
  for (let after = 0; ; ) {
    const { data, meta } = await read(`${path}&after=${after}`)
    if (data.length === 0) return events
    events.push(...data)
    after = meta.next
  }
}

/** The public ids of all events that the services have written of a program. */
export async function writtenEventIds(sql: postgres.Sql, program_id: number): Promise<string[]> {
  const events = await sql<{ id: string }[]>`
    select 'evt_' || replace(event_key::text, '-', '') as id
    from (${writtenEvents(sql, program_id)}) as written
    order by id
  `
  return events.map(({ id }) => id)
}

/** Waits until all events that the services have written of a program are published. */
export async function untilPublished(sql: postgres.Sql, program_id: number) {
  for (;;) {
    const waiting = await sql`
      select from (${writtenEvents(sql, program_id)}) as written
      where not exists (
        select
        from delivery.events
        where events.event_key = written.event_key
          and published_at is not null
      )
      limit 1
    `
    if (waiting.count === 0) return
    await Bun.sleep(PAUSE_MS)
  }
}

const writtenEvents = (sql: postgres.Sql, program_id: number) => sql`
  select event_key from identity.outgoing_events where program_id = ${program_id}
  union all
  select event_key from tracking.outgoing_events where program_id = ${program_id}
  union all
  select event_key from commissions.outgoing_events where program_id = ${program_id}
`

/** Waits until delivery has each event as its service has it. */
export async function untilCopied(sql: postgres.Sql) {
  for (;;) {
    const differing = await sql`
      select
      from (
        select event_key, data from tracking.outgoing_events
        union all
        select event_key, data from commissions.outgoing_events
      ) as written
      left join delivery.events as copy using (event_key)
      where copy.data is distinct from written.data
      limit 1
    `
    if (differing.count === 0) return
    await Bun.sleep(PAUSE_MS)
  }
}
