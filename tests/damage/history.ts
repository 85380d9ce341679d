import type postgres from "postgres"
import { succeedingClient } from "../support/http"
import { generateTraffic } from "../support/own-system"
import { RECEIVER } from "../support/receiver"

const PROGRAMS = "/api/advertiser/affiliate-programs"
const PASSWORD = "correct horse battery"
const DEADLINE_MS = 20_000

/** Plays what the books are to tell: each kind of row, each status and each way to get there. */
export async function makeHistory(url: string, sql: postgres.Sql) {
  const request = succeedingClient(url)
  const post = (path: string, body: unknown, token?: string) =>
    request("POST", path, { body, token })
  await generateTraffic({
    send: async (path, body, token) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` }
      const init = { method: "POST", body: JSON.stringify(body), headers }
      return (await fetch(`${url}${path}`, init)).json()
    },
  })

  const owner = { email: "owner@damage.example", password: PASSWORD, name: "Owner" }
  const { token: session } = await post("/api/auth/sign-up", owner)
  const { id, api_token } = await post(PROGRAMS, { name: "Damaged", currency: "EUR" }, session)
  const path = `${PROGRAMS}/${id}`
  const endpoint = { url: RECEIVER, events: ["*"] }
  const { id: endpoint_id } = await post("/api/advertiser/webhook-endpoints", endpoint, session)
  await post(`/api/advertiser/webhook-endpoints/${endpoint_id}/test`, {}, session)
  const policy = {
    kind: "fixed",
    amount_cents: 700,
    duration_months: 12,
    auto_approve: false,
    products: [
      { product_id: "book", kind: "percent", rate_bps: 1_250 },
      { product_id: "pen", kind: "fixed", amount_cents: 50 },
    ],
  }
  const group = await post(`${path}/groups`, { name: "Writers", policy }, session)
  await request("PUT", `${path}/groups/${group.id}`, {
    body: { policy: { kind: "percent", rate_bps: 1_111, hold_days: 0, auto_approve: true } },
    token: session,
  })
  const newPartner = (name: string, fields: object = {}) =>
    post(`${path}/partners`, { email: `${name}@damage.example`, name, ...fields }, session)
  const anna = await newPartner("anna", { group_id: group.id })
  const bela = await newPartner("bela")

  let count = 0
  const newCustomer = async (partner: { links: { code: string }[] }) => {
    const affiliate_url = `https://shop.example/?aff=${partner.links[0]!.code}`
    const clicked = await post("/api/v1/track/click", {
      affiliate_url,
      page_url: "https://shop.example/page",
      session_id: "visit",
    })
    const customer_key = `customer ${++count}`
    const lead = { click_id: clicked.click_id, customer_key, email: `c${count}@damage.example` }
    await post("/api/v1/track/lead", lead, api_token)
    return customer_key
  }
  const sell = async (customer_key: string, fields: object = {}) => {
    const transaction_id = `damage ${++count}`
    const sale = { transaction_id, customer_key, amount_cents: 3_333, currency: "EUR", ...fields }
    return { transaction_id, ...(await post("/api/v1/track/sale", sale, api_token)) }
  }
  const refund = (transaction_id: string, fields: object = {}) =>
    post("/api/v1/track/refund", { transaction_id, ...fields }, api_token)
  const settle = (commission_id: number, step: string, body: object = {}) =>
    post(`${path}/commissions/${commission_id}/${step}`, body, session)

  await sell(await newCustomer(anna), { product_id: "book" })
  await sell(await newCustomer(anna), { product_id: "pen", currency: "USD" })
  await sell(await newCustomer(anna))
  const subscriber = await newCustomer(bela)
  const subscription = { is_recurring: true, subscription_id: "monthly" }
  await sell(subscriber, subscription)
  await sell(subscriber, subscription)

  const paid = await sell(await newCustomer(bela), { amount_cents: 10_000 })
  await settle(paid.commission_id, "approve")
  await settle(paid.commission_id, "mark-paid")
  await refund(paid.transaction_id, { refund_reason: "returned" })
  const clamped = await sell(await newCustomer(bela), { amount_cents: 1_000 })
  for (const refund_id of ["one", "two", "three"]) {
    await refund(clamped.transaction_id, { refund_id, refund_amount_cents: 111 })
  }
  await refund(clamped.transaction_id, { refund_id: "rest", refund_amount_cents: 667 })
  const rejected = await sell(await newCustomer(anna))
  await settle(rejected.commission_id, "reject", { reason: "by hand" })

  const erased = await newCustomer(bela)
  await sell(erased)
  await request("DELETE", `${path}/customers/${encodeURIComponent(erased)}`, { token: session })
  const test = { additional_data: { test_mode: true } }
  await post("/api/v1/track/sale", { transaction_id: "a test", ...test }, api_token)

  const invited = await post(`${path}/partners/${anna.partner_id}/invite`, {}, session)
  const account = { token: invited.token, password: PASSWORD, email: "anna@damage.example" }
  await post("/api/auth/accept-invitation", account)
  await waitUntilRead(sql)
}

/** Waits until all that was recorded is counted, in the reports, the audit log and the event logs. */
async function waitUntilRead(sql: postgres.Sql) {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await Bun.sleep(200)) {
    const unread = await sql`
      select from tracking.uncounted_clicks
      union all
      (
        select from (
          select entry_key from tracking.audit_entries
          union all
          select entry_key from commissions.audit_entries
          except
          select entry_key from identity.audit_entries
        ) as entry
      )
      union all
      (
        select from (
          select event_key from identity.outgoing_events
          union all
          select event_key from tracking.outgoing_events
          union all
          select event_key from commissions.outgoing_events
          except
          select event_key from delivery.events where published_at is not null
        ) as event
      )
      union all
      (
        select from (
          select 'conversion', id from tracking.affiliate_sale_events where final_xact is not null
          union all
          select 'lead', id from tracking.affiliate_lead_events where final_xact is not null
          union all
          select 'click', id from tracking.affiliate_click_events where final_xact is not null
          union all
          select 'commission', id from commissions.commissions
          except
          select event_type, id from reporting.events
          except
          select 'commission', id from reporting.commissions
        ) as event
      )
    `
    if (unread.count === 0) return
  }
  throw new Error("The reports or the audit log did not catch up.")
}
