import { learned, text, time } from "../match"
import { newMoment } from "../moment"
import type { Customer, Program } from "../state"
import { keyedBy } from "./customers"
import { management } from "./management"
import type { Operation } from "./operation"

export function eraseCustomer(program: Program): Operation {
  const { random, customers } = program
  const known = customers.filter(({ key }) => key !== null)
  const key = known.length && random.happens(0.8) ? random.pick(known).key! : "key unknown"
  const encoded = encodeURIComponent(key)
  const path = random.happens(0.7) ? `/customers/${encoded}` : `/customers?customer_key=${encoded}`
  const at = newMoment()
  const request = {
    ...management(program, "DELETE", path),
    kind: "erase",
    about: [`key ${key}`, `click ${keyedBy(program, key)?.click_id}`],
    at,
  }
  const customer = keyedBy(program, key)
  if (!customer) return { ...request, status: 404, expected: { error: text() } }
  return {
    ...request,
    status: 200,
    expected: { data: { id: learned(customer, "id"), erased_at: time(at) } },
    repeated: { status: 404, expected: { error: text() } },
    apply: () => erase(customer, key, program),
  }
}

/** What names the person is removed, and the key wherever else it stands. All counts stay. */
function erase(customer: Customer, key: string, program: Program) {
  for (const event of program.leads) if (event.key === key) event.key = null
  for (const sale of program.sales) if (sale.key === key) sale.key = null
  for (const click of customer.clicks) {
    Object.assign(click, { click_id: null, session_id: null, page_url: null, referrer_url: null })
  }
  for (const lead of customer.leads) {
    Object.assign(lead, { click_id: null, key: null, session_id: null, page_url: null })
  }
  for (const sale of customer.sales) {
    Object.assign(sale, { click_id: null, key: null, subscription_id: null, line_items: null })
  }
  Object.assign(customer, { click_id: null, key: null, isNamed: false, email_masked: null })
}
