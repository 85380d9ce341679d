import type postgres from "postgres"
import { call } from "../../../lib/bus/bus"
import { seededRandom } from "../../../lib/random"
import * as commissions from "../../../services/commissions/contract"
import * as tracking from "../../../services/tracking/contract"
import { clearTables } from "./clear"
import { setClocks } from "./clocks"
import { interruptFor } from "./outage"
import { policyText, startTerms, terms } from "./terms"

const PROGRAM_ID = 1
const PAST_WINDOW_DAYS = 61

export type Scene = {
  program_id: number
  customers: string[]
  partner_ids: number[]
  groups: number[] // ids; the first is the Default group
}

/**
 * Creates one program with two groups, and one to three customers, each with its own partner, in
 * empty tables.
 */
export async function setScene(seed: string, superuser: postgres.Sql): Promise<Scene> {
  const random = seededRandom(`${seed} scene`)
  await clearTables(superuser)
  await setClocks(superuser, 0)
  startTerms()
  interruptFor(0)

  const program = { program_id: PROGRAM_ID, version: 1, currency: "USD" }
  await call(tracking.putProgram, {
    ...program,
    status: "active",
    cookie_window_days: 60,
    attribution_model: "last_click",
    lead_auth: "browser",
  })
  const hold_days = random.pick([0, 15])
  const commission = random.happens(0.8)
    ? { kind: "percent" as const, rate_bps: 3_000, hold_days }
    : { kind: "fixed" as const, amount_cents: 1_000, hold_days }
  await call(commissions.putProgram, { ...program, workspace_id: 1, commission })

  const groups = await addGroup(commission)
  const partner_ids: number[] = []
  const customers = ["anna", "bela", "chris"].slice(0, 1 + random.below(3))
  for (const customer_key of customers) {
    const partner = { email: `${customer_key}@example.com`, name: customer_key }
    const { partner_id } = await call(commissions.createPartner, {
      program_id: PROGRAM_ID,
      partner,
    })
    partner_ids.push(partner_id)
    terms.set(`partner ${partner_id}`, { group_id: groups[0], status: "approved" })
    terms.set(`customer ${customer_key}`, partner_id)
    const age_days = random.happens(0.15) ? PAST_WINDOW_DAYS : 0
    await insertCustomer(superuser, customer_key, partner_id, age_days)
    if (age_days === 0 && random.happens(0.3)) await createDebt(customer_key)
  }
  return { program_id: PROGRAM_ID, customers, partner_ids, groups }
}

/** Stores a customer and its click through the partner's first link, as a click would have. */
async function insertCustomer(
  superuser: postgres.Sql,
  customer_key: string,
  partner_id: number,
  age_days: number,
) {
  await superuser`
    with click as (
      insert into tracking.affiliate_click_events (
        program_id, click_id, customer_id, partner_id, link_id, window_days, click_timestamp,
        final_xact
      )
      select
        ${PROGRAM_ID}, ${customer_key}, nextval('tracking.customers_id_seq'), ${partner_id}, id, 60,
        now() - ${age_days} * interval '1 day', pg_current_xact_id()
      from tracking.referral_links
      where partner_id = ${partner_id}
      returning *
    ),
    counted as (
      insert into tracking.uncounted_clicks (link_ids, clicked_at)
      select array[link_id], click_timestamp
      from click
    )
    insert into tracking.customers (
      id, program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at,
      window_days
    )
    select
      customer_id, program_id, click_id, click_id, partner_id, link_id, id, click_timestamp,
      window_days
    from click
  `
}

/** Adds a second group beside the Default group. Returns both ids. */
async function addGroup(commission: commissions.Policy): Promise<number[]> {
  const policy = { kind: "percent" as const, rate_bps: 1_000, auto_approve: false }
  const program = { program_id: PROGRAM_ID }
  await call(commissions.createGroup, { ...program, group: { name: "Second", policy } })
  const slice = { limit: 2, offset: 0 }
  const { rows } = await call(commissions.listGroups, { ...program, slice })
  const [first, second] = rows.map(({ id }) => id) as [number, number]
  terms.set(`group ${first}`, firstPolicyText(commission))
  terms.set(`group ${second}`, policyText(policy))
  return [first, second]
}

const firstPolicyText = (policy: commissions.Policy) =>
  policy.kind === "percent"
    ? policyText({ ...policy, auto_approve: true })
    : `fixed ${policy.amount_cents} true`

/** Refunds a sale whose commission was paid, so that the partner's next commission is clamped. */
async function createDebt(customer_key: string) {
  const request = { program_id: PROGRAM_ID, request_id: `paid to ${customer_key}` }
  const transaction_id = request.request_id
  const sale = { transaction_id, amount_cents: 5_000, customer_key }
  const { commission_id } = await call(tracking.recordSale, { ...request, sale })

  const commission = { program_id: PROGRAM_ID, commission_id: commission_id as number }
  await call(commissions.approveCommission, commission)
  await call(commissions.markCommissionPaid, commission)
  const request_id = `refunded to ${customer_key}`
  await call(tracking.refundSale, { ...request, request_id, refund: { transaction_id } })
}
