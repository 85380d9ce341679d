import { text } from "../match"
import { newMoment } from "../moment"
import type { Customer, Lead, Program } from "../state"
import type { World } from "../world"
import { findWithToken, keyedBy, namedBy } from "./customers"
import type { Operation } from "./operation"
import { randomClickId, recent } from "./visits"

const RECORDED = { success: true, message: text() }
/** Fields that only describe a lead never cost the lead: these count as absent. */
const MALFORMED = [
  { email: "no address" },
  { email: 7 },
  { additional_data: { event_name: 7 } },
  { additional_data: [] },
]
const PROVISIONAL = { success: true, provisional: true, message: text() }

export function lead(program: Program, world: World): Operation {
  const { random } = program
  const hasToken = random.happens(0.6)
  const click_id = random.happens(0.8) ? randomClickId(program, world, hasToken) : undefined
  const customer_key = random.happens(0.75) ? randomKey(program, click_id) : undefined
  const email = random.happens(0.3) ? `ada${program.serial}@shop.example` : undefined
  const malformed = random.happens(0.1) ? random.pick(MALFORMED) : {}
  const at = newMoment()
  const request = {
    kind: "lead",
    method: "POST",
    path: random.happens(0.9) ? "/api/v1/track/lead" : "/api/tracking/lead",
    token: hasToken ? program.api_token : undefined,
    body: { click_id, customer_key, email, ...malformed },
    about: [`click ${click_id}`, `key ${customer_key}`],
    at,
  }
  if (hasToken && program.status === "archived") return { ...request, ...refused(401) }
  const found = hasToken
    ? findWithToken(program, customer_key ?? null, click_id ?? null)
    : findWithoutToken(program, customer_key ?? null, click_id ?? null)
  if (found === "provisional") return { ...request, status: 200, expected: PROVISIONAL }
  if (!found || found.status === "conversion") return { ...request, ...refused(400) }
  return {
    ...request,
    status: 200,
    expected: RECORDED,
    apply: () => {
      const customer = found.bind(at)
      if (email && !("email" in malformed)) customer.email_masked ??= "a***@s***.example"
      store(customer, at, program)
    },
  }
}

const refused = (status: 400 | 401) => ({ status, expected: { error: text() } })

/** Without a token only a click_id finds a customer, and a key is bound only provisionally. */
function findWithoutToken(program: Program, key: string | null, click_id: string | null) {
  const named = program.status === "archived" || !click_id ? null : namedBy(program, click_id)
  if (!named) return null
  if (program.lead_auth === "server") return "provisional" as const
  if (key && named.key && named.key !== key) return null
  const bind = () => {
    if (key && !named.key && !keyedBy(program, key)) {
      Object.assign(named, { key, isProvisional: true })
    }
    return named
  }
  return { status: named.status, bind }
}

function store(customer: Customer, at: Lead["at"], program: Program) {
  if (customer.status !== "click") return
  customer.status = "lead"
  customer.signup = at
  const source = customer.attribution.click
  const { session_id, page_url } = source
  const { click_id, key } = customer
  const event: Lead = { id: 0, click_id, key, session_id, page_url, source, converted: false, at }
  customer.leads.push(event)
  program.leads.push(event)
}

/** A new key, the customer's own, or that of another customer. */
export function randomKey(program: Program, click_id: string | undefined): string {
  const { random } = program
  const dice = random.fraction()
  if (dice < 0.02) return "" // counts as absent
  const own = (click_id && namedBy(program, click_id)?.key) || null
  if (own && dice < 0.6) return own
  if (dice > 0.8) return recent(program)?.key ?? newKey(program)
  return newKey(program)
}

const newKey = (program: Program) => `key ${program.number}-${++program.serial}`
