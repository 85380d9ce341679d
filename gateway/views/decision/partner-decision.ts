import type { Decision, Facts } from "./schema"

/**
 * The decision as its partner reads it: the same steps and sentences, without other partners,
 * the customer, the revenue, and how the advertiser names its groups (behaviour 14.4.4).
 */
export const toPartner = (decision: Decision): Decision => ({
  ...decision,
  subject: { ...decision.subject, transaction_id: null, customer_key: null },
  steps: decision.steps.map(step => ({
    ...step,
    facts: sharedFacts(step.facts, decision.subject.partner_id),
  })),
})

function sharedFacts(all: Facts, partner_id: number): Facts {
  const { clicks, other_clicks, group_id, group_name, product_id, formula, ...facts } = all
  if (!clicks) return facts
  const own = clicks.filter(click => click.partner_id === partner_id)
  return {
    ...facts,
    clicks: own,
    other_clicks: (other_clicks ?? 0) + clicks.length - own.length,
  }
}
