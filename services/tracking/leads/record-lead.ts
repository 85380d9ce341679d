import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { retryOnConflict } from "../../../lib/db/pool"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import type { Lead } from "../contract"
import {
  bindKey,
  type Customer,
  lockCustomer,
  resolveCustomer,
  unknownCustomer,
} from "../customers/customers"
import { hashAndMask } from "../customers/email"
import { sql } from "../db"
import { isOverQuota, quotaReached } from "../quota/quota"
import { insertLeads } from "./insert-leads"
import { storeLeadInBatch } from "./lead-batch"

type Request = RequestOf<typeof contract.recordLead>

/**
 * Records a lead. A backend, which sends a token, may name any customer of its program. A browser
 * names its customer by click_id alone.
 */
export async function recordLead({ program_id, lead }: Request) {
  const canBatch = program_id !== null && !(await isOverQuota(sql, program_id))
  if (canBatch && (await storeLeadInBatch(program_id, lead))) return { is_provisional: false }

  return retryOnConflict(() =>
    sql.begin(async sql => {
      if (program_id === null) return recordByBrowser(sql, lead)

      await storeLead(sql, await resolveCustomer(sql, program_id, lead), lead)
      return { is_provisional: false }
    }),
  )
}

/** Records a lead without a token. The click_id names the customer; a browser's key is not trusted. */
async function recordByBrowser(sql: Transaction, lead: Lead) {
  if (!lead.click_id) throw unknownCustomer()
  const customer = await lockCustomer(sql, lead.click_id)
  if (!customer) throw unknownCustomer()

  const [program] = await sql<[{ lead_auth: string; status: string }?]>`
    select lead_auth, status
    from programs
    where program_id = ${customer.program_id}
  `
  if (!program || program.status === "archived") throw unknownCustomer()
  if (program.lead_auth === "server") return { is_provisional: true }

  await bindFreeKey(sql, customer, lead.customer_key)
  await storeLead(sql, customer, lead)
  return { is_provisional: false }
}

/** Binds the key unless another customer has it: a browser must not take over keys. */
async function bindFreeKey(sql: Transaction, customer: Customer, key: string | undefined) {
  if (!key || customer.customer_key === key) return
  if (customer.customer_key) {
    throw new Fault("invalid", "The click_id belongs to a customer with another customer_key.")
  }
  const [owner] = await sql`
    select 1
    from customers
    where program_id = ${customer.program_id}
      and customer_key = ${key}
  `
  if (!owner) await bindKey(sql, customer.id, key, true)
}

/** Stores one lead event per customer. A repeated lead only adds a missing e-mail address. */
async function storeLead(sql: Transaction, customer: Customer, lead: Lead) {
  if (customer.customer_status === "conversion") {
    throw new Fault("invalid", "The customer has already converted and cannot become a lead.")
  }
  if (customer.customer_status === "click") {
    const byId = { customer_id: customer.id, program_id: null, click_id: null, customer_key: null }
    if (await isOverQuota(sql, customer.program_id)) throw quotaReached()
    await insertLeads(sql, [{ ...byId, lead }])
  } else if (!customer.email_hash && lead.email) await setEmail(sql, customer, lead.email)
}

async function setEmail(sql: Transaction, { id }: Customer, email: string) {
  const { email_hash, email_masked } = hashAndMask(email)
  await sql`
    update customers
    set
      email_hash = ${email_hash},
      email_masked = ${email_masked}
    where id = ${id}
  `
}
