import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import { sql } from "../db"
import { wantsSaleNotices } from "../notices/wants-sale-notices"
import { programNotFound } from "../programs/programs"

type Request = RequestOf<typeof contract.numberEvents>

/** Locking the counter of the program lets one request at a time number its events. */
export const numberEvents = ({ program_id, after, event_ids }: Request) =>
  sql.begin(async sql => {
    const { last, workspace_id } = await lockCounter(sql, program_id, after)
    const added = await sql`
      insert into event_numbers (event_id, program_id, sequence)
      select event_id, ${program_id}, ${last}::bigint + row_number() over (order by position)
      from (
        select distinct on (event_id) event_id, position
        from unnest(${event_ids}::text[]) with ordinality as input (event_id, position)
        where not exists (
          select
          from event_numbers
          where event_numbers.event_id = input.event_id
        )
        order by event_id, position
      ) as unnumbered
    `
    await sql`
      update event_counters
      set last_sequence = ${last + added.count}
      where program_id = ${program_id}
    `
    const numbers = await sql<{ event_id: string; sequence: number }[]>`
      select event_id, sequence
      from event_numbers
      where event_id = any (${event_ids}::text[])
        and program_id = ${program_id}
      order by sequence
    `
    const wants_sale_notices = await wantsSaleNotices(sql, { program_id, workspace_id })
    return { workspace_id, wants_sale_notices, numbers: [...numbers] }
  })

/** Locks a program's counter, and raises it to `after` if it is lower. */
async function lockCounter(sql: Transaction, program_id: number, after: number) {
  const [counter] = await sql<[{ last: number; workspace_id: number }?]>`
    with program as (
      select id, workspace_id
      from programs
      where id = ${program_id}
    )
    insert into event_counters as counter (program_id, last_sequence)
    select id, ${after}::bigint
    from program
    on conflict (program_id) do update
      set last_sequence = greatest(counter.last_sequence, excluded.last_sequence)
    returning last_sequence as last, (select workspace_id from program)
  `
  if (!counter) throw programNotFound()
  return counter
}
