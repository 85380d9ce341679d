import type { Visit } from "./visit"

const KEY = "service_leads"
const KEPT_MS_MAX = 30 * 60_000

/** A lead that could not be sent yet. `visit`: its click, unless that has been answered. */
export interface WaitingLead {
  since: number
  visit?: Visit | null
  customer_key?: string
  email?: string
}

let waiting: WaitingLead[] = []

/** The leads that earlier pages of this tab left behind (behaviour 8.5.2). */
export function readWaitingLeads(): WaitingLead[] {
  try {
    const leads: WaitingLead[] = JSON.parse(sessionStorage[KEY])
    return leads.filter(lead => lead.since > Date.now() - KEPT_MS_MAX)
  } catch {
    return [] // none, or storage is blocked
  }
}

export const keep = (lead: WaitingLead) => write([...waiting, lead])

export const drop = (lead: WaitingLead) => write(waiting.filter(other => other !== lead))

function write(leads: WaitingLead[]) {
  waiting = leads
  try {
    if (leads.length > 0) sessionStorage[KEY] = JSON.stringify(leads)
    else sessionStorage.removeItem(KEY)
  } catch {
    // Storage is blocked: the leads are kept on this page only.
  }
}
