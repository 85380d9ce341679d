import { Counter } from "prom-client"
import { inBatches } from "../../../lib/batch"
import { retryOnConflict } from "../../../lib/db/pool"
import { sql } from "../db"
import type { Outcome } from "../outside/send"
import type { Lease } from "../queue/claim-deliveries"
import type { Verdict } from "./retries"

const ONE_AT_A_TIME_MINUTES = 5

const attempts = new Counter({
  name: "tributary_delivery_attempts_total",
  help: "Attempts to deliver an event or a postback, by what came of them.",
  labelNames: ["outcome"],
})

type Attempt = Lease &
  Omit<Outcome, "retry_after_seconds"> &
  Verdict & {
    at: Date
    signature: string | null
    judges_receiver: boolean // false: nothing was sent, and the receiver had no part in it
  }

/**
 * Records attempts that have ended, and what follows for their deliveries and receivers. One whose
 * lease has ended is left out: another replica has tried again. Faults: unavailable.
 */
const record = inBatches("attempts", async (batch: Attempt[]) => {
  await retryOnConflict(() => recordAll(batch))
  return batch
})

/** Records an attempt that has ended (behaviour 12.4.2). Faults: unavailable. */
export async function recordAttempt(attempt: Attempt) {
  await record(attempt)
  const { status, response_status } = attempt
  attempts.inc({
    outcome: status === "delivered" ? status : response_status ? "refused" : "silent",
  })
}

const recordAll = (batch: Attempt[]) => sql`
  with ended as (
    delete from leases
    using jsonb_to_recordset(${sql.json(batch as never)}) as attempt (
      delivery_id bigint,
      token uuid,
      at timestamptz,
      response_status smallint,
      latency_ms integer,
      error text,
      response_excerpt text,
      signature text,
      status text,
      wait_seconds float8,
      is_overloaded boolean,
      judges_receiver boolean
    )
    where leases.delivery_id = attempt.delivery_id
      and leases.token = attempt.token
    returning attempt.*, receiver_id
  ),
  tried as (
    update deliveries
    set
      tries = tries + 1,
      status = case
        when deliveries.status = 'skipped' and ended.status = 'pending' then 'skipped'
        else ended.status
      end,
      next_attempt_at = case
        when deliveries.status = 'pending' then now() + wait_seconds * interval '1 second'
      end
    from ended
    where deliveries.id = delivery_id
    returning deliveries.id
  ),
  logged as (
    insert into attempts (
      delivery_id, at, response_status, latency_ms, error, response_excerpt, signature
    )
    select delivery_id, at, response_status, latency_ms, error, response_excerpt, signature
    from ended
    join tried on tried.id = delivery_id
  ),
  judged as (
    select
      receiver_id as id,
      (array_agg(status = 'delivered' order by at desc))[1] as is_proven,
      min(at) filter (where status <> 'delivered') as failed_at,
      bool_or(status = 'delivered') as has_succeeded,
      bool_or(is_overloaded) as is_overloaded
    from ended
    where judges_receiver
    group by receiver_id
  )
  update receivers
  set
    is_proven = judged.is_proven,
    failing_since = case
      when judged.is_proven then null
      when has_succeeded then failed_at
      else coalesce(failing_since, failed_at)
    end,
    one_at_a_time_until = case
      when is_overloaded then now() + ${ONE_AT_A_TIME_MINUTES} * interval '1 minute'
      else one_at_a_time_until
    end
  from judged
  where receivers.id = judged.id
    and (
      is_overloaded
      or receivers.is_proven <> judged.is_proven
      or (failing_since is null) <> judged.is_proven
      or (has_succeeded and not judged.is_proven)
    )
`
