import { type Static, Type } from "@sinclair/typebox"
import { Id, Nullable, OneOf, Time } from "../../../lib/fields"
import { ClickResult } from "../../../services/tracking/contract"

/** What became of a sale's commission (behaviour 14.4.2). */
const Outcome = OneOf("paid", "payable", "pending", "withheld", "none")

/** An outcome in one sentence, which both sides read alike, and what happens next. */
export const Verdict = Type.Object({
  outcome: Outcome,
  sentence: Type.String(),
  next: Nullable(
    Type.Object({
      what: OneOf("hold_ends", "approval", "payment"),
      at: Nullable(Time), // null: a person decides when
    }),
  ),
})

export type Verdict = Static<typeof Verdict>

const ShownClick = Type.Object({
  click_event_id: Id,
  at: Time,
  partner_id: Id,
  code: Type.String(),
  sub_id: Nullable(Type.String()),
  result: ClickResult,
  sentence: Type.String(),
})

/** What a step was decided from. Each step has its own. */
const Facts = Type.Partial(
  Type.Object({
    program_id: Id,
    link_id: Id,
    code: Type.String(),
    partner_id: Id,
    click_event_id: Id,
    clicks: Type.Array(ShownClick), // of a partner: its own
    other_clicks: Type.Integer(), // not in `clicks`: older ones or, for a partner, of others
    click_age_days: Type.Integer(),
    window_days: Type.Integer(),
    first_sale_id: Id,
    duration_months: Nullable(Type.Integer()), // null: for life
    ends_at: Nullable(Time),
    group_id: Id,
    group_name: Type.String(), // never of a partner's decision
    policy_version: Type.Integer(),
    rate_bps: Nullable(Type.Integer()),
    fixed_cents: Nullable(Type.Integer()),
    product_id: Nullable(Type.String()), // whose own terms apply; never of a partner's decision
    formula: Type.String(), // never of a partner's decision: it contains the revenue
    amount_cents: Type.Integer(),
    currency: Type.String(),
    hold_days: Type.Integer(),
    auto_approve: Type.Boolean(),
    deducted_cents: Type.Integer(),
    clamped_cents: Type.Integer(),
    reason: Nullable(Type.String()),
  }),
)

export type Facts = Static<typeof Facts>

export const DecisionStep = Type.Object({
  rule: OneOf(
    "program",
    "link",
    "partner",
    "candidates",
    "window",
    "duration",
    "policy",
    "amount",
    "hold",
    "approval",
    "refunds",
    "rejection",
  ),
  result: OneOf("passed", "failed", "applied", "waiting", "not_asked"),
  at: Nullable(Time),
  sentence: Type.String(),
  facts: Facts,
})

export type DecisionStep = Static<typeof DecisionStep>

/** Why a sale was or was not paid (behaviour 14.4). */
export const Decision = Type.Object({
  subject: Type.Object({
    sale_id: Nullable(Id), // null: there is no sale yet
    transaction_id: Nullable(Type.String()), // null: no sale, or a partner's decision
    commission_id: Nullable(Id),
    partner_id: Id,
    customer_key: Nullable(Type.String()), // null: none, erased, or a partner's decision
  }),
  sales: Type.Array(Id),
  ...Verdict.properties,
  amounts: Type.Object({
    earned_cents: Type.Integer(),
    deducted_cents: Type.Integer(), // by refunds and a rejection
    clamped_cents: Type.Integer(), // given back by clamps
    paid_cents: Type.Integer(),
    currency: Type.String(),
  }),
  steps: Type.Array(DecisionStep),
})

export type Decision = Static<typeof Decision>
