import { type Static, Type } from "@sinclair/typebox"
import { call } from "../../lib/bus/bus"
import type { ReplyOf } from "../../lib/bus/operation"
import { Id, OneOf, Time } from "../../lib/fields"
import { amountText } from "../../lib/money"
import { explainCommissions, type JourneyCommission } from "../../services/commissions/contract"
import { showJourney } from "../../services/tracking/contract"
import { CLICK_SENTENCES } from "./decision/attribution-steps"
import { because } from "./decision/texts"
import { verdictOf } from "./decision/verdict"

/** A step of a customer's journey, with the ids of what it is about (behaviour 17.5.2). */
export const JourneyStep = Type.Object({
  at: Time,
  kind: OneOf("click", "lead", "sale", "refund", "commission", "erased"),
  sentence: Type.String(),
  click_event_id: Type.Optional(Id),
  partner_id: Type.Optional(Id), // of a click
  lead_event_id: Type.Optional(Id),
  sale_id: Type.Optional(Id),
  commission_id: Type.Optional(Id),
  refund_id: Type.Optional(Id),
})

type JourneyStep = Static<typeof JourneyStep>
type Journey = ReplyOf<typeof showJourney>

/** The journey of a customer, oldest step first. Throws "missing". */
export async function journeyOf(program_id: number, customer_key: string): Promise<JourneyStep[]> {
  const journey = await call(showJourney, { program_id, customer_key })
  const sale_ids = journey.sales.map(({ id }) => id)
  const { settled } = await call(explainCommissions, { program_id, sale_ids })
  const steps = [
    ...journey.clicks.map(clickStep),
    ...(journey.lead ? [leadStep(journey.lead)] : []),
    ...journey.sales.map(saleStep),
    ...settled.flatMap(commissionSteps),
    ...journey.erased_at.map(erasedStep),
  ]
  return steps.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)) // stable
}

const clickStep = ({
  at,
  click_event_id,
  partner_id,
  code,
  result,
}: Journey["clicks"][number]) => ({
  at,
  kind: "click" as const,
  sentence: `Click on the link ${code}. ${CLICK_SENTENCES[result]}`,
  click_event_id,
  partner_id,
})

const leadStep = ({ id, at }: NonNullable<Journey["lead"]>) => ({
  at,
  kind: "lead" as const,
  sentence: "Signed up.",
  lead_event_id: id,
})

function saleStep(sale: Journey["sales"][number]) {
  const { id, at, transaction_id, amount_cents, currency, commission_id, is_attributed } = sale
  const what = sale.is_renewal ? "Renewed" : "Bought"
  const bought = `${what} for ${amountText(amount_cents, currency)} (sale ${transaction_id}).`
  const without = is_attributed
    ? " No commission: renewals no longer earn."
    : " No commission: the attribution window had ended."
  const sentence = commission_id === null ? bought + without : bought
  return { at, kind: "sale" as const, sentence, sale_id: id }
}

/** A commission as it is now, at the time of its creation, and the refunds that took from it. */
function commissionSteps(settled: JourneyCommission): JourneyStep[] {
  const { id: commission_id, sale_id, created_at, currency, refunds } = settled
  const of = { sale_id, commission_id }
  return [
    { at: created_at, kind: "commission", sentence: verdictOf(settled).sentence, ...of },
    ...refunds.map(({ id, at, deduction_cents, reason }) => ({
      at,
      kind: "refund" as const,
      sentence: `A refund took ${amountText(deduction_cents, currency)} off the commission.${because(reason)}`,
      ...of,
      refund_id: id,
    })),
  ]
}

const erasedStep = (at: string) => ({
  at,
  kind: "erased" as const,
  sentence: "A customer with the same key was erased: the key was removed here, too.",
})
