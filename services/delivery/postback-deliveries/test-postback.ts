import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import type * as contract from "../contract"
import type { PostbackKey } from "../contract"
import { sql } from "../db"
import { isSuccess } from "../deliveries/retries"
import { type Outcome, send } from "../outside/send"
import { programsOf } from "../postbacks/postback-programs"
import { createReceivers } from "../postbacks/postback-receivers"
import { findPostback, lockPostback } from "../postbacks/postbacks"
import { recordOfPostback } from "../postbacks/record-postback-change"
import { sampleRequest, type TestContent } from "../postbacks/sample-request"
import { sharesSaleAmount } from "../postbacks/shares-sale-amount"

type Request = RequestOf<typeof contract.testPostback>

/**
 * Sends a sample at once, outside the queue and without retries. The log shows the result, which never
 * disables the postback.
 */
export async function testPostback({ type: event = "sale", ...key }: Request) {
  const { owner } = key
  const postback = await findPostback(sql, key)
  const programs = await programsOf(owner)
  const partner_id = "account_id" in owner ? null : owner.partner_id
  const at = new Date().toISOString()
  const { program_id } = postback
  const share_sale_amount = await sharesSaleAmount(program_id)
  const event_key = crypto.randomUUID()
  const content = { event_key, event, at, program_id, partner_id, share_sale_amount }
  const { body, ...template } = postback
  const receiver = "program_id" in owner && partner_id === null ? "program" : "partner"
  const request = sampleRequest({ ...template, ...(body && { body }) }, receiver, content)
  const outcome = await send(request)
  const ok = isSuccess(outcome)

  const delivery_id = await sql.begin(async sql => {
    const states = [await lockPostback(sql, key)]
    const stored = await store(sql, key, content, outcome)
    const act = { owner, programs, states, action: "postback.test" } as const
    await recordOfPostback(sql, { ...act, details: { type: event, ok } })
    return stored
  })
  const { response_status, latency_ms, error } = outcome
  return { delivery_id, ok, response_status, latency_ms, error }
}

async function store(
  sql: Transaction,
  { postback_id }: PostbackKey,
  content: TestContent,
  outcome: Outcome,
): Promise<number> {
  const { response_status, latency_ms, error, response_excerpt } = outcome
  await createReceivers(sql)
  const [{ delivery_id }] = await sql<[{ delivery_id: number }]>`
    insert into deliveries (receiver_id, own_event, type, program_id, status, tries)
    select
      id, ${sql.json(content)}, ${content.event}, ${content.program_id}::bigint,
      ${isSuccess(outcome) ? "delivered" : "failed"}, 1
    from receivers
    where postback_id = ${postback_id}
    returning id as delivery_id
  `
  await sql`
    insert into attempts (delivery_id, at, response_status, latency_ms, error, response_excerpt)
    values (
      ${delivery_id}, ${content.at}, ${response_status}, ${latency_ms}, ${error},
      ${response_excerpt}
    )
  `
  return delivery_id
}
