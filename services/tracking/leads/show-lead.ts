import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { customerOf } from "../customers/show-customer"
import { sql } from "../db"

type Request = RequestOf<typeof contract.showLead>
type Lead = ReplyOf<typeof contract.showLead>
type StoredLead = Omit<Lead, "customer"> & { customer_id: number | null }

/** Finds test leads too; `is_test` marks them. */
export async function showLead({ program_id, lead_event_id }: Request): Promise<Lead> {
  const [stored] = await sql<[StoredLead?]>`
    select
      id, program_id, stated_program_id, click_id, customer_key, email_masked, event_name,
      customer_id, partner_id, link_id, click_event_id, session_id, page_url,
      is_test, lead_timestamp, created_at
    from affiliate_lead_events
    where id = ${lead_event_id}
      and program_id = ${program_id}
  `
  if (!stored) throw new Fault("missing", "Lead not found in this program.")
  const { customer_id, ...lead } = stored
  return { ...lead, customer: await customerOf(customer_id) }
}
