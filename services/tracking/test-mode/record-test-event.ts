import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { visitOf } from "../clicks/visit"
import type * as contract from "../contract"
import type { Click, Lead, TestSale } from "../contract"
import { hashAndMask } from "../customers/email"
import { sql } from "../db"
import { isLinkCode } from "../links/links"
import { isOverQuota, quotaReached } from "../quota/quota"

type Request = RequestOf<typeof contract.recordTestEvent>
type EventId = { id: number }

/** Stores a test row without customer and partner, so that it cannot change attribution. */
export async function recordTestEvent({ program_id, code, event }: Request) {
  const testProgramId = await findProgramId(program_id, code)
  if (await isOverQuota(sql, testProgramId)) throw quotaReached()
  const { id } = await insert(testProgramId, event)
  return { event_id: id, program_id: testProgramId }
}

/** Returns `program_id`, or the program of the link if it is null. Throws "invalid". */
async function findProgramId(program_id: number | null, code: string | null): Promise<number> {
  const [program] = program_id ? await byId(program_id) : await byCode(code)
  if (program) return program.program_id
  if (program_id) throw notFound("additional_data.program_id is not the id of a program in use.")
  if (code) throw notFound("No program has a referral link with this aff parameter.")
  throw notFound("Test mode needs additional_data.program_id, an affiliate_url or a token.")
}

const notFound = (message: string) => new Fault("invalid", message)

const byId = (program_id: number) => sql<[{ program_id: number }?]>`
  select program_id
  from programs
  where program_id = ${program_id}
    and status <> 'archived'
`

const byCode = (code: string | null) => sql<[{ program_id: number }?]>`
  select program.program_id
  from referral_links as link
  join programs as program using (program_id)
  where link.code = ${code && isLinkCode(code) ? code : null}
    and program.status <> 'archived'
`

function insert(program_id: number, event: Request["event"]): Promise<EventId> {
  if ("click" in event) return insertClick(program_id, event.click)
  if ("lead" in event) return insertLead(program_id, event.lead)
  return insertSale(program_id, event.sale)
}

async function insertClick(program_id: number, click: Click) {
  const row = { program_id, is_test: true, ...visitOf(click, null) }
  const [event] = await sql<[EventId]>`
    insert into affiliate_click_events ${sql(row)}
    returning id
  `
  return event
}

async function insertLead(program_id: number, lead: Lead) {
  const { click_id = null, customer_key = null, email, additional_data } = lead
  const row = {
    program_id,
    click_id,
    customer_key,
    event_name: additional_data?.event_name ?? null,
    stated_program_id: additional_data?.program_id ?? null,
    is_test: true,
    ...(email ? hashAndMask(email) : {}),
  }
  const [event] = await sql<[EventId]>`
    insert into affiliate_lead_events ${sql(row)}
    returning id
  `
  return event
}

async function insertSale(program_id: number, sale: TestSale) {
  const { additional_data, line_items, ...fields } = sale
  const row = {
    currency: "USD",
    sale_type: "payment",
    is_recurring: false,
    ...fields,
    line_items: line_items ? sql.json(line_items as never) : null,
    program_id,
    state: "complete",
    is_test: true,
  }
  const [event] = await sql<[EventId]>`
    insert into affiliate_sale_events ${sql(row)}
    returning id
  `
  return event
}
