import type { Sql } from "postgres"
import type { Demo } from "../../deploy/demo/prepare-demo"
import { succeedingClient } from "../support/http"
import { RECEIVER } from "../support/receiver"

const WEBHOOK = {
  url: RECEIVER,
  events: ["sale.recorded", "refund.recorded", "commission.paid"],
  description: "Accounting",
}
const TRACKED = {
  url: "https://127.66.0.1/postback?cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}",
  events: ["sale", "approved", "paid"],
}
const TESTS = ["sale.recorded", "commission.paid", "sale.recorded"]
const LATENCY_MS = 84

/** A webhook with deliveries, and postbacks of the program and of partners. Returns their ids. */
export async function newOutgoing(
  { program_id, partner, ...owner }: Demo,
  partner_id: string,
  url: string,
  sql: Sql,
) {
  const request = succeedingClient(url)
  const sessionOf = async ({ email, password }: { email: string; password: string }) =>
    (await request("POST", "/api/auth/sign-in", { body: { email, password } })).token as string
  const token = await sessionOf(owner)

  const endpoints = "/api/advertiser/webhook-endpoints"
  const webhook = await request("POST", endpoints, { token, body: WEBHOOK })
  for (const type of TESTS) {
    await request("POST", `${endpoints}/${webhook.id}/test`, { token, body: { type } })
  }
  await pretendAnswers(sql)

  const program = `/api/advertiser/affiliate-programs/${program_id}`
  const postback = await request("POST", `${program}/postbacks`, { token, body: TRACKED })
  const own = await request("POST", "/api/partner/postbacks", {
    token: await sessionOf(partner!),
    body: TRACKED,
  })
  const forOne = `${program}/partners/${partner_id}/postbacks`
  const ofPartner = await request("POST", forOne, { token, body: TRACKED })
  return {
    webhooks: `${webhook.id}`,
    postbacks: `${postback.id}`,
    partner_postback: `${ofPartner.id}`,
    own_postback: `${own.id}`,
  }
}

/** Nothing listens at the receiver, so the first attempt fails. The others look as if answered. */
async function pretendAnswers(sql: Sql) {
  await sql`update delivery.attempts set latency_ms = ${LATENCY_MS}`
  const first = sql`(select min(id) from delivery.deliveries)`
  await sql`
    update delivery.attempts set response_status = 200, error = null, response_excerpt = 'ok'
    where delivery_id > ${first}
  `
  await sql`update delivery.deliveries set status = 'delivered' where id > ${first}`
}
