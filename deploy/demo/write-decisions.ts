import type { Step } from "./decisions"
import { insertRows, iso, reserveIds, type Sql } from "./rows"
import { DAY_MS } from "./visitors"
import type { Scene } from "./write-partners"

const UNREAD_DAYS = 7 // what is older was read

const LEDGER_KINDS = {
  earn: "commission",
  reject: "rejection",
  pay: "payout",
  refund: "deduction",
} as const
const ACTIONS = {
  approve: ["commission.approve", "approved"],
  reject: ["commission.reject", "rejected"],
  pay: ["commission.mark_paid", "paid"],
} as const

type Owner = { user_id: number; workspace_id: number }
type Refunded = Step & { refund_id: number | null }

/** Stores what was decided about the commissions: refunds, ledger, notifications and audit log. */
export async function writeDecisions(sql: Sql, scene: Scene, owner: Owner, decided: Step[]) {
  const steps = await withRefunds(sql, decided)
  await writeLedger(sql, scene, steps)
  await writeNotifications(sql, scene, owner, steps)
  await writeAuditEntries(sql, scene, owner, steps)
}

async function withRefunds(sql: Sql, steps: Step[]): Promise<Refunded[]> {
  const refunds = steps.filter(({ kind }) => kind === "refund")
  const ids = await reserveIds(sql, "commissions.refunds", refunds.length)
  const idOf = new Map(refunds.map((step, i) => [step, ids[i]!]))
  await insertRows(
    sql,
    "commissions.refunds",
    refunds.map(step => {
      const { at, commission, refund_cents, amount_cents, reason } = step
      return {
        id: idOf.get(step),
        request_id: `demo-refund-${idOf.get(step)}`,
        commission_id: commission.id,
        status: commission.status,
        refund_cents,
        deduction_cents: -amount_cents,
        refund_reason: reason,
        created_at: iso(at),
      }
    }),
  )
  return steps.map(step => ({ ...step, refund_id: idOf.get(step) ?? null }))
}

async function writeLedger(sql: Sql, { program_id }: Scene, steps: Refunded[]) {
  const entries = steps.flatMap(step => {
    const { kind, at, commission, refund_id, amount_cents, clamp_cents } = step
    if (kind === "approve") return []
    const { id: commission_id, partner_id } = commission
    const fields = { program_id, partner_id, currency: "USD", commission_id, refund_id }
    const entry = { ...fields, created_at: iso(at) }
    const clamp = { ...entry, kind: "clamp", amount_cents: clamp_cents }
    return [{ ...entry, kind: LEDGER_KINDS[kind], amount_cents }, ...(clamp_cents ? [clamp] : [])]
  })
  const ids = await reserveIds(sql, "commissions.ledger", entries.length)
  await insertRows(
    sql,
    "commissions.ledger",
    entries.map((entry, i) => ({ id: ids[i], ...entry })),
  )
  await sql`
    insert into commissions.balances (program_id, partner_id, currency, balance_cents)
    select program_id, partner_id, currency, sum(amount_cents)
    from commissions.ledger
    where program_id = ${program_id}
      and id = any (${ids}::bigint[])
    group by program_id, partner_id, currency
  `
}

async function writeNotifications(
  sql: Sql,
  { program_id, now }: Scene,
  { workspace_id }: Owner,
  steps: Refunded[],
) {
  const notifications = steps.flatMap(step => {
    const { at, commission, refund_id } = step
    const fields = { program_id, commission_id: commission.id, refund_id, created_at: iso(at) }
    const read_at = at < now - UNREAD_DAYS * DAY_MS ? iso(at + DAY_MS) : null
    const message = messageOf(step)
    if (!message) return []
    const toPartner = {
      ...fields,
      ...message,
      recipient: "partner",
      partner_id: commission.partner_id,
      workspace_id: null,
      read_at,
    }
    if (step.kind !== "refund" || !step.was_paid) return [toPartner]
    const warning = {
      kind: "paid_commission_refunded",
      message:
        `Sale ${commission.transaction_id} was refunded after its commission was paid. ` +
        `The partner owes ${usd(-step.amount_cents)}: please review. Reason: ${step.reason}`,
    }
    const toAdvertiser = { recipient: "advertiser", partner_id: null, workspace_id }
    return [toPartner, { ...fields, ...warning, ...toAdvertiser, read_at }]
  })
  const ids = await reserveIds(sql, "commissions.notifications", notifications.length)
  await insertRows(
    sql,
    "commissions.notifications",
    notifications.map((notification, i) => ({ id: ids[i], ...notification })),
  )
}

/** What a partner reads, in the words of the service. Null: the step sends no notification. */
function messageOf({ kind, commission, reason, amount_cents }: Step) {
  const { transaction_id, status } = commission
  const name = `Your commission of ${usd(commission.amount_cents)} for sale ${transaction_id}`
  if (kind === "pay") return { kind: "commission_paid", message: `${name} was paid.` }
  if (kind === "reject") {
    return { kind: "commission_rejected", message: `${name} was rejected. Reason: ${reason}` }
  }
  if (kind !== "refund") return null
  const deducted = `${usd(-amount_cents)} of your commission was deducted.`
  const message = `Sale ${transaction_id} was refunded: ${deducted} Reason: ${reason}`
  return { kind: `commission_${status}`, message }
}

const usd = (cents: number) => `${(cents / 100).toFixed(2)} USD`

async function writeAuditEntries(
  sql: Sql,
  { program_id, xact }: Scene,
  { user_id }: Owner,
  steps: Step[],
) {
  const entries = steps.flatMap(({ at, kind, commission, reason }) => {
    if (kind === "earn" || kind === "refund") return []
    const [action, status] = ACTIONS[kind]
    return {
      program_id,
      actor_kind: "user",
      actor_id: user_id,
      action,
      subject_type: "commission",
      subject_id: commission.id,
      details: kind === "reject" ? { status, reason } : { status },
      request_id: crypto.randomUUID(),
      at: iso(at),
      entry_key: crypto.randomUUID(),
      final_xact: xact,
    }
  })
  const ids = await reserveIds(sql, "commissions.audit_entries", entries.length)
  await insertRows(
    sql,
    "commissions.audit_entries",
    entries.map((entry, i) => ({ id: ids[i], ...entry })),
  )
}
