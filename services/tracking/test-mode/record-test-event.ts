import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import { visitOf } from "../clicks/visit"
import type * as contract from "../contract"
import type { Click, Lead, TestSale } from "../contract"
import { hidden } from "../customers/email"
import { sql } from "../db"
import { isCode } from "../links/links"

type Asked = RequestOf<typeof contract.recordTestEvent>
type Stored = { id: number }

/** A test row names no customer and no partner, so it can move nothing. */
export async function recordTestEvent({ program_id, code, event }: Asked) {
  const program = await findProgram(program_id, code)
  const stored = await insert(program, event)
  return { event_id: stored.id, program_id: program }
}

async function findProgram(program_id: number | null, code: string | null): Promise<number> {
  const [program] = program_id ? await byId(program_id) : await byCode(code)
  if (program) return program.program_id
  throw new Fault("invalid", "No program is found: send its additional_data.program_id.")
}

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
  where link.code = ${code && isCode(code) ? code : null}
    and program.status <> 'archived'
`

function insert(program_id: number, event: Asked["event"]): Promise<Stored> {
  if ("click" in event) return insertClick(program_id, event.click)
  if ("lead" in event) return insertLead(program_id, event.lead)
  return insertSale(program_id, event.sale)
}

async function insertClick(program_id: number, click: Click) {
  const [event] = await sql<[Stored]>`
    insert into affiliate_click_events ${sql({ program_id, is_test: true, ...visitOf(click, null) })}
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
    ...(email ? hidden(email) : {}),
  }
  const [event] = await sql<[Stored]>`
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
  const [event] = await sql<[Stored]>`
    insert into affiliate_sale_events ${sql(row)}
    returning id
  `
  return event
}
