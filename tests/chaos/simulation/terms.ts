import type postgres from "postgres"
import type { Partner } from "../../../services/commissions/contract"

/** What a subject says from some moment on. Moments count the events of a history. */
type Change<Value> = { value: Value; start: number; end: number }

/** A partner, by id, a group's policy, by id, or the partner of a customer, by key. */
type Subject = `partner ${number}` | `group ${number}` | `customer ${string}`

export type PartnerTerms = Pick<Partner, "group_id" | "status">
export type PolicyTerms = { rate_bps: number; auto_approve: boolean }
export const policyText = ({ rate_bps, auto_approve }: PolicyTerms) =>
  `percent ${rate_bps} ${auto_approve}`

export let terms = newTerms()

/** Forgets the seed before. */
export function startTerms() {
  terms = newTerms()
}

/** Records when the terms of sales change, when sales are sent, and when they are surely stored. */
function newTerms() {
  let moment = 0
  const changes = new Map<Subject, Change<unknown>[]>()
  const sentAt = new Map<string, number>()
  const storedBy = new Map<number, number>()

  /** Runs `work`, which changes a subject. Afterwards the change holds for every sale that is sent. */
  async function change<Value>(subject: Subject, value: Value, work: () => Promise<unknown>) {
    const added: Change<unknown> = { value, start: moment++, end: Infinity }
    changes.set(subject, [...(changes.get(subject) ?? []), added])
    await work()
    added.end = moment++
  }

  const set = <Value>(subject: Subject, value: Value) =>
    changes.set(subject, [{ value, start: -1, end: -1 }])

  /** The latest value. */
  const current = <Value>(subject: Subject) => changes.get(subject)!.at(-1)!.value as Value

  /** The values that a sale may have found, which was stored at some moment from `from` to `to`. */
  function possible<Value>(subject: Subject, { from, to }: { from: number; to: number }): Value[] {
    const all = changes.get(subject) ?? []
    const before = all.findLast(({ end }) => end < from)
    const during = all.filter(({ start, end }) => end >= from && start <= to)
    return [...(before ? [before] : []), ...during].map(({ value }) => value as Value)
  }

  return {
    change,
    set,
    current,
    possible,
    noteSent: (transaction_id: string) =>
      sentAt.has(transaction_id) || sentAt.set(transaction_id, moment++),
    /** Notes the first request for the commission of a sale, which is stored by then. */
    noteStored: (sale_id: number) => storedBy.has(sale_id) || storedBy.set(sale_id, moment++),
    intervalOf: (transaction_id: string, sale_id: number) => ({
      from: sentAt.get(transaction_id)!,
      to: storedBy.get(sale_id) ?? Infinity,
    }),
    transactions: () => [...sentAt.keys()],
  }
}

type Sale = {
  id: number
  transaction_id: string
  customer_key: string
  partner_id: number
  is_renewal: boolean
  commission_id: number | null
  group_id: number
  policy: string
  policy_approves: boolean
  auto_approve: boolean
}

/** Each sale has the partner, group, status and policy of the moment when it was stored. */
export async function violationsOfTerms(superuser: postgres.Sql): Promise<string[]> {
  const sales = await superuser<Sale[]>`
    select
      sale.id::int, sale.transaction_id, customer.customer_key, sale.partner_id::int,
      sale.first_sale_id is not null as is_renewal, commission.id::int as commission_id,
      policy.group_id::int, policy.auto_approve as policy_approves, commission.auto_approve,
      concat_ws(
        ' ', kind, coalesce(policy.rate_bps, policy.amount_cents), policy.auto_approve::text
      ) as policy
    from tracking.affiliate_sale_events as sale
    join tracking.customers as customer on customer.id = sale.customer_id
    left join commissions.commissions as commission on commission.sale_id = sale.id
    left join commissions.policies as policy on policy.id = commission.policy_id
    where sale.transaction_id in ${superuser(terms.transactions())}
    order by sale.id
  `
  return sales.flatMap(sale => [...wrongPartner(sale), ...wrongCommission(sale)])
}

function wrongPartner({ id, transaction_id, customer_key, partner_id, is_renewal }: Sale) {
  if (is_renewal) return []
  const interval = terms.intervalOf(transaction_id, id)
  const partners = terms.possible<number>(`customer ${customer_key}`, interval)
  if (partners.includes(partner_id)) return []
  return [`Sale ${id} is of partner ${partner_id}, but ${customer_key} was of ${partners}.`]
}

function wrongCommission(sale: Sale) {
  const { id, transaction_id, partner_id, commission_id, group_id, policy, auto_approve } = sale
  if (commission_id === null) return []
  const interval = terms.intervalOf(transaction_id, id)
  const partners = terms.possible<PartnerTerms>(`partner ${partner_id}`, interval)
  const policies = terms.possible<string>(`group ${group_id}`, interval)
  const isRight =
    policies.includes(policy) &&
    partners.some(
      partner =>
        partner.group_id === group_id &&
        auto_approve === (sale.policy_approves && partner.status === "approved"),
    )
  if (isRight) return []
  const found = `group ${group_id}, ${policy}, auto_approve ${auto_approve}`
  const expected = JSON.stringify({ partners, policies })
  return [`Commission ${commission_id} was created under ${found}, not under ${expected}.`]
}
