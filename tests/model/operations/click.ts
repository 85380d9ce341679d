import type { Send } from "../client"
import { readAs } from "../compare/pages"
import { learnedText, text } from "../match"
import { exactly, newMoment } from "../moment"
import { rules } from "../rules"
import type { Click, Customer, Link, Program } from "../state"
import type { World } from "../world"
import { namedBy, newCustomer } from "./customers"
import type { Operation } from "./operation"
import { randomClickId, randomVisit } from "./visits"

const LATE_MS = 1_000 // a request whose answer was lost may still be under way
const INACTIVE = { success: false, message: "Referral link is inactive" }

export function click(program: Program, world: World): Operation {
  const { random } = program
  const link = random.pick(program.links)
  const existing_click_id = random.happens(0.55) ? randomClickId(program, world) : undefined
  const visit = randomVisit(program)
  const at = newMoment()
  const request = {
    kind: "click",
    method: "POST",
    path: random.happens(0.9) ? "/api/v1/track/click" : "/api/tracking/click",
    body: {
      affiliate_url: `https://shop.example/?aff=${link.code}`,
      existing_click_id,
      ...visit.fields,
    },
    about: [`link ${link.code}`, ...(existing_click_id ? [`click ${existing_click_id}`] : [])],
    at,
  }
  if (link.partner.status === "removed") {
    return { ...request, status: 400, expected: { error: text("invalid") } }
  }
  if (isInactive(link, program)) return { ...request, status: 200, expected: INACTIVE }

  const existing = existing_click_id ? namedBy(program, existing_click_id) : null
  const event: Click = {
    id: 0,
    click_id: existing?.click_id ?? "",
    ...visit.stored,
    window_days: program.cookie_window_days,
    partner: link.partner,
    link,
    converted: false,
    at,
    nominal: world.now,
  }
  return {
    ...request,
    status: 200,
    expected: {
      success: true,
      click_id: learnedText(event, "click_id", /^clk_[0-9A-HJKMNP-TV-Z]{26}$/),
      partner_code: link.code,
      cookie_window_days: program.cookie_window_days,
    },
    apply: () => store(event, existing, program, world),
    applyRepeated: send => storeAll(event, program, world, send),
  }
}

const isInactive = (link: Link, program: Program) =>
  link.status === "inactive" || program.status !== "active" || link.partner.status === "suspended"

function store(event: Click, existing: Customer | null, program: Program, world: World) {
  const customer = existing ?? newCustomer(event, event.click_id!, event.at)
  if (!existing) program.customers.push(customer)
  else attribute(event, existing, program, world)
  customer.clicks.push(event)
  program.clicks.push(event)
  event.link.clicks++
  event.link.last_clicked = event.at
  event.partner.clicks++
}

/** A click takes the customer over if no partner has them, or by the attribution model. */
function attribute(event: Click, customer: Customer, program: Program, { now }: World) {
  const isKept = rules.isInWindow(customer, now) && rules.isBound(customer)
  if (isKept && !rules.movesCustomer(program, customer)) return
  customer.attribution = { click: event, isConverted: false }
}

/** A click whose answer was lost may have been counted: all that are new in the list were. */
async function storeAll(event: Click, program: Program, world: World, send: Send) {
  await Bun.sleep(LATE_MS)
  const path = `/api/tracking/events/${program.id}?eventType=click&pageSize=100`
  const { data, meta } = await readAs(send, program.owner.session, path)
  const rows: { id: number; click_id: string; timestamp: string }[] = data
    .slice(0, meta.pagination.total - program.clicks.length)
    .reverse()
  const last = rows.findLast(({ click_id }) => click_id === event.click_id)
  for (const row of rows) {
    const { id, click_id } = row
    const at = exactly(Date.parse(row.timestamp))
    const stored = row === last ? event : { ...event, id, click_id, at }
    store(stored, namedBy(program, click_id), program, world)
  }
}
