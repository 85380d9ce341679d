import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { notifyOfEndpoint } from "../../commissions/contract"
import { findNoticeRecipients } from "../../identity/contract"
import { sql } from "../db"

const BATCH = 50 // in one message
const BATCHES_MAX = 40 // in one run

type Notice = RequestOf<typeof findNoticeRecipients>["notices"][number] & {
  source_key: string
  message: string
}

/**
 * Finds who gets new notices by mail, and when: at once, or with the digest of the day or week in
 * UTC. Those of endpoints are notifications as well. Several replicas may run it at once. Returns how
 * many notices were addressed.
 */
export async function addressNotices(): Promise<number> {
  let addressed = 0
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const count = await addressBatch()
    addressed += count
    if (count < BATCH) break
  }
  return addressed
}

async function addressBatch(): Promise<number> {
  const notices = await sql<Notice[]>`
    select id as notice_id, source_key, kind, workspace_id, program_id, partner_id, message
    from notices
    where addressed_at is null
    order by id
    limit ${BATCH}
  `
  if (notices.length === 0) return 0
  for (const { kind, source_key, workspace_id, message } of notices) {
    if (kind === "failing_endpoint") {
      await call(notifyOfEndpoint, { source_key, workspace_id, message })
    }
  }
  const { recipients, programs } = await call(findNoticeRecipients, { notices: [...notices] })
  const ids = notices.map(({ notice_id }) => notice_id)
  await sql`
    with addressed as (
      update notices
      set
        addressed_at = now(),
        program = (
          select name
          from jsonb_to_recordset(${sql.json(programs)}) as known (program_id bigint, name text)
          where known.program_id = notices.program_id
        )
      where id = any (${ids}::bigint[])
        and addressed_at is null -- not by another replica meanwhile
      returning id
    )
    insert into notice_recipients (notice_id, user_id, frequency, due_at)
    select
      notice_id, user_id, frequency,
      case frequency
        when 'daily' then date_trunc('day', now(), 'UTC') + interval '1 day'
        when 'weekly' then date_trunc('week', now(), 'UTC') + interval '7 days'
        else now()
      end
    from jsonb_to_recordset(${sql.json(recipients)}) as recipient (
      notice_id bigint, user_id bigint, frequency text
    )
    join addressed on addressed.id = notice_id
  `
  return notices.length
}
