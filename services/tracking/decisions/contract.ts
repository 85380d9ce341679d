import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, Name, Nullable, OneOf, Time } from "../../../lib/fields"

/**
 * Why a click won its customer, or lost it:
 * - `won`: the customer's sale belongs to it; or, without a sale, the customer does
 * - `window_ended`: its window was over when the click that won came
 * - `later_click`: a later click took the customer over
 * - `earlier_click`: the customer stayed with an earlier click
 * - `earlier_sale`: the customer had bought before, and stayed with the click of that sale
 */
export const ClickResult = OneOf(
  "won",
  "window_ended",
  "later_click",
  "earlier_click",
  "earlier_sale",
)

export type ClickResult = Static<typeof ClickResult>

/** A click of a customer. It names no visitor. */
export const Candidate = Type.Object({
  click_event_id: Id,
  at: Time,
  partner_id: Id,
  link_id: Id,
  code: Type.String(), // of the link
  sub_id: Nullable(Type.String()),
  window_days: Type.Integer(),
  result: ClickResult,
})

export type Candidate = Static<typeof Candidate>

/** A sale as far as its attribution goes. The fields are those fixed when it was stored. */
export const ExplainedSale = Type.Object({
  id: Id,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  product_id: Nullable(Type.String()),
  is_attributed: Type.Boolean(),
  first_sale_id: Nullable(Id), // of the subscription; null: not a renewal
  commission_id: Nullable(Id),
  partner_id: Id,
  link_id: Id,
  click_event_id: Nullable(Id), // the attributing click, or that of the subscription's first sale
  click_age_days: Type.Integer(),
  window_days: Type.Integer(),
  sale_date: Time,
})

export type ExplainedSale = Static<typeof ExplainedSale>

/**
 * What a decision is about, named by one of these: a sale, or a click or customer and thereby its
 * latest sale.
 */
export const DecisionSubject = Type.Partial(
  Type.Object({ sale_id: Id, transaction_id: Name, click_event_id: Id, customer_key: Name }),
)

export type DecisionSubject = Static<typeof DecisionSubject>

/**
 * Explains to whom a sale belongs, and why, from what was stored with it. `partner_id` null: of any
 * partner; else sales of others are missing. Of a click or customer, `sales` are the newest 100 of
 * that customer (after that click), newest first, and the first is explained. `sale` null: there is
 * none yet, and the rest describes the customer as it is.
 * `candidates` are clicks until the sale, oldest first: the newest 50 and the one that won. A
 * renewal has none, because clicks do not decide it. Faults: missing.
 */
export const explainSale = operation("tracking.sale.explain", {
  request: Type.Object({ program_id: Id, partner_id: Nullable(Id), subject: DecisionSubject }),
  reply: Type.Object({
    sales: Type.Array(Id),
    sale: Nullable(ExplainedSale),
    customer_key: Nullable(Type.String()), // null: it has none, or was erased
    partner_id: Id,
    link: Type.Object({ id: Id, code: Type.String() }),
    candidates: Type.Array(Candidate),
    candidates_left_out: Type.Integer(), // older ones
  }),
})

/** A sale in a journey. */
const JourneySale = Type.Object({
  id: Id,
  at: Time,
  transaction_id: Type.String(),
  amount_cents: Type.Integer(),
  currency: Type.String(),
  is_renewal: Type.Boolean(),
  is_attributed: Type.Boolean(),
  window_days: Type.Integer(),
  commission_id: Nullable(Id),
})

/**
 * All that is stored of a customer, each list oldest first: the newest 500 clicks, each as it did in
 * the first sale after it, or in the customer as it is; the newest 200 sales; when a key that the
 * customer shared was erased. Faults: missing.
 */
export const showJourney = operation("tracking.journey.show", {
  request: Type.Object({ program_id: Id, customer_key: Name }),
  reply: Type.Object({
    clicks: Type.Array(Candidate),
    lead: Nullable(Type.Object({ id: Id, at: Time })),
    sales: Type.Array(JourneySale),
    erased_at: Type.Array(Time),
  }),
})
