import type postgres from "postgres"
import { call } from "../../../lib/bus/bus"
import * as commissions from "../../../services/commissions/contract"
import * as tracking from "../../../services/tracking/contract"
import { chanceOf } from "./chance"
import { clear } from "./clear"

const PROGRAM_ID = 1
const PAST_WINDOW_DAYS = 61

export type Scene = { program_id: number; customers: string[] }

/** An empty world with one program, and some customers, each with a partner of its own. */
export async function setScene(seed: string, superuser: postgres.Sql): Promise<Scene> {
  const chance = chanceOf(`${seed} scene`)
  await clear(superuser)

  const program = { program_id: PROGRAM_ID, version: 1, currency: "USD" }
  await call(tracking.putProgram, {
    ...program,
    status: "active",
    cookie_window_days: 60,
    attribution_model: "last_click",
    lead_auth: "browser",
  })
  const hold_days = chance.pick([0, 15])
  const commission = chance.happens(0.8)
    ? { kind: "percent" as const, rate_bps: 3_000, hold_days }
    : { kind: "fixed" as const, amount_cents: 1_000, hold_days }
  await call(commissions.putProgram, { ...program, workspace_id: 1, commission })

  const customers = ["anna", "bela", "chris"].slice(0, 1 + chance.below(3))
  for (const customer_key of customers) {
    const partner = { email: `${customer_key}@example.com`, name: customer_key }
    const { partner_id } = await call(commissions.createPartner, {
      program_id: PROGRAM_ID,
      partner,
    })
    const age_days = chance.happens(0.15) ? PAST_WINDOW_DAYS : 0
    await superuser`
      insert into tracking.customers (
        program_id, click_id, customer_key, partner_id, link_id, click_event_id, attributed_at,
        window_days
      )
      values (
        ${PROGRAM_ID}, ${customer_key}, ${customer_key}, ${partner_id}, 1, 1,
        now() - ${age_days} * interval '1 day', 60
      )
    `
    if (age_days === 0 && chance.happens(0.3)) await owe(customer_key)
  }
  return { program_id: PROGRAM_ID, customers }
}

/** The customer's partner was paid for what was then refunded: what it earns next is clamped. */
async function owe(customer_key: string) {
  const named = { program_id: PROGRAM_ID, request_id: `paid to ${customer_key}` }
  const transaction_id = named.request_id
  const sale = { transaction_id, amount_cents: 5_000, customer_key }
  const { commission_id } = await call(tracking.recordSale, { ...named, sale })

  const commission = { program_id: PROGRAM_ID, commission_id: commission_id as number }
  await call(commissions.approveCommission, commission)
  await call(commissions.markCommissionPaid, commission)
  const request_id = `refunded to ${customer_key}`
  await call(tracking.refundSale, { ...named, request_id, refund: { transaction_id } })
}
