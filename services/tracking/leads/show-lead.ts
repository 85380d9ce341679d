import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { customerOf } from "../customers/show-customer"
import { sql } from "../db"

type Asked = RequestOf<typeof contract.showLead>
type Lead = ReplyOf<typeof contract.showLead>
type Stored = Omit<Lead, "customer"> & { customer_id: number | null }

/** A test lead is shown as what it is. */
export async function showLead({ program_id, lead_event_id }: Asked): Promise<Lead> {
  const [stored] = await sql<[Stored?]>`
    select
      id, program_id, stated_program_id, click_id, customer_key, email_masked, event_name,
      customer_id, partner_id, link_id, click_event_id, session_id, page_url,
      is_test, lead_timestamp, created_at
    from affiliate_lead_events
    where id = ${lead_event_id}
      and program_id = ${program_id}
  `
  if (!stored) throw new Fault("missing", "The program has no such lead.")
  const { customer_id, ...lead } = stored
  return { ...lead, customer: await customerOf(customer_id) }
}
