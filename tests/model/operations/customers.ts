import type { Moment } from "../moment"
import type { Click, Customer, Program } from "../state"

export function newCustomer(click: Click, click_id: string | null, at: Moment): Customer {
  return {
    id: 0,
    click_id,
    isNamed: true,
    key: null,
    isProvisional: false,
    email_masked: null,
    status: "click",
    signup: null,
    purchase: null,
    attribution: { click, isConverted: false },
    clicks: [],
    leads: [],
    sales: [],
    at,
  }
}

export const namedBy = ({ customers }: Program, click_id: string | null) =>
  customers.find(customer => customer.isNamed && customer.click_id === click_id) ?? null

export const keyedBy = ({ customers }: Program, key: string | null) =>
  (key && customers.find(customer => customer.key === key)) || null

/** The customer of a call, and what the call changes about them. `bind` must be called only once. */
export type Found = { attribution: Customer["attribution"]; status: Customer["status"] } & {
  bind: (at: Moment) => Customer
}

/** Finds a customer as a call with the tracking token does: by key, else by click. */
export function findWithToken(
  program: Program,
  key: string | null,
  click_id: string | null,
): Found | null {
  const named = click_id ? namedBy(program, click_id) : null
  const owner = keyedBy(program, key)
  if (owner && named && named !== owner && owner.isProvisional) {
    const found = bindKey(program, named, key!)
    const bind = (at: Moment) => {
      owner.key = null
      owner.isProvisional = false
      return found.bind(at)
    }
    return { ...found, bind }
  }
  if (owner) return { ...owner, bind: () => confirm(owner, named) }
  if (!named) return null
  return key ? bindKey(program, named, key) : { ...named, bind: () => named }
}

function confirm(owner: Customer, named: Customer | null): Customer {
  if (named === owner) owner.isProvisional = false
  return owner
}

/** Binds a new key to the customer of a click, or to a second one if they have another key. */
function bindKey(program: Program, named: Customer, key: string): Found {
  if (named.key === null) {
    return { ...named, bind: () => Object.assign(named, { key, isProvisional: false }) }
  }
  const attribution = { ...named.attribution, isConverted: false }
  const bind = (at: Moment) => {
    const second = { ...newCustomer(attribution.click, named.click_id, at), attribution, key }
    second.isNamed = false
    program.customers.push(second)
    return second
  }
  return { attribution, status: "click", bind }
}
