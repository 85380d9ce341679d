import type { ReplyOf } from "../../../lib/bus/operation"
import type { EarningPeriod, ExplainedCommission } from "../../../services/commissions/contract"
import type {
  Candidate,
  ClickResult,
  ExplainedSale,
  explainSale,
} from "../../../services/tracking/contract"
import type { DecisionStep, Facts } from "./schema"
import { countText, dayText } from "./texts"

export type Explained = ReplyOf<typeof explainSale>

export const step = (
  rule: DecisionStep["rule"],
  result: DecisionStep["result"],
  sentence: string,
  at: string | null = null,
  facts: Facts = {},
): DecisionStep => ({ rule, result, at, sentence, facts })

/** The steps that decide to whom a sale belongs. */
export function attributionSteps(
  program_id: number,
  explained: Explained,
  commission: ExplainedCommission | null,
  period: EarningPeriod | null,
): DecisionStep[] {
  const { sale, candidates } = explained
  const at = sale?.sale_date ?? null
  const won = candidates.find(({ result }) => result === "won")
  const recorded = sale ? "The program recorded the sale." : "The program recorded the click."
  return [
    step("program", "passed", recorded, at, { program_id }),
    linkStep(explained, won),
    partnerStep(explained, commission),
    candidatesStep(explained, won),
    windowStep(sale),
    durationStep(sale, period, commission),
  ]
}

function linkStep({ link, sale }: Explained, won: Candidate | undefined) {
  const what = sale?.first_sale_id ? "The subscription's first sale" : "The customer"
  const facts = { link_id: link.id, code: link.code }
  return step("link", "passed", `${what} came by the link ${link.code}.`, won?.at ?? null, facts)
}

/** A policy that approves by itself does not do so for a suspended partner (behaviour 6.3.1). */
function partnerStep({ partner_id, sale }: Explained, commission: ExplainedCommission | null) {
  const wasSuspended = commission?.policy_auto_approve && !commission.auto_approve
  const sentence = wasSuspended
    ? "The partner was suspended when the sale was recorded, so the commission needs approval."
    : "The partner is in the program."
  return step("partner", "passed", sentence, sale?.sale_date ?? null, { partner_id })
}

function candidatesStep(explained: Explained, won: Candidate | undefined) {
  const { sale, candidates, candidates_left_out } = explained
  if (sale?.first_sale_id) {
    const sentence =
      "A renewal belongs to the partner of the subscription's first sale, whatever was clicked since."
    return step("candidates", "not_asked", sentence, null, { first_sale_id: sale.first_sale_id })
  }
  const clicks = candidates.map(({ window_days, link_id, ...click }) => ({
    ...click,
    sentence: CLICK_SENTENCES[click.result],
  }))
  const facts = { clicks, other_clicks: candidates_left_out }
  if (!won)
    return step("candidates", "applied", "The click that won is no longer kept.", null, facts)
  return step("candidates", "applied", winnerSentence(explained, won), won.at, {
    ...facts,
    click_event_id: won.click_event_id,
  })
}

function winnerSentence({ candidates, candidates_left_out }: Explained, won: Candidate): string {
  const total = candidates.length + candidates_left_out
  if (total === 1) return "It was the customer's only click."
  const day = dayText(won.at)
  const last = candidates.at(-1)!
  if (last === won) return `Of ${total} clicks the last one, of ${day}, won.`
  const why =
    last.result === "earlier_sale"
      ? "the customer had bought and stayed with it"
      : "the customer stayed with it"
  return `Of ${total} clicks the one of ${day} won: ${why}.`
}

/** Why a click won or lost, in one sentence. */
export const CLICK_SENTENCES: Record<ClickResult, string> = {
  won: "It won.",
  window_ended: "It lost: its window had ended when the next click came.",
  later_click: "It lost: a later click won.",
  earlier_click: "It lost: the customer stayed with an earlier click.",
  earlier_sale: "It lost: the customer had bought before, and stayed with the click of that sale.",
}

function windowStep(sale: ExplainedSale | null) {
  if (!sale) return step("window", "waiting", "No sale has been recorded yet.")
  const { click_age_days, window_days, sale_date, first_sale_id, is_attributed } = sale
  if (first_sale_id) {
    return step("window", "not_asked", "A renewal needs no click within the attribution window.")
  }
  const facts = { click_age_days, window_days }
  const window = countText(window_days, "day")
  return is_attributed
    ? step(
        "window",
        "passed",
        `Bought ${ageText(click_age_days)} the click: the window is ${window}.`,
        sale_date,
        facts,
      )
    : step("window", "failed", `The attribution window of ${window} had ended.`, sale_date, facts)
}

const ageText = (days: number) =>
  days === 0 ? "within a day of" : `${countText(days, "day")} after`

function durationStep(
  sale: ExplainedSale | null,
  period: EarningPeriod | null,
  commission: ExplainedCommission | null,
) {
  if (!sale?.first_sale_id || !period) {
    return step("duration", "not_asked", "Only renewals of a subscription have an earning period.")
  }
  const { first_sale_id, duration_months, ends_at } = period
  const facts = { first_sale_id, duration_months, ends_at }
  return step(
    "duration",
    commission ? "passed" : "failed",
    periodSentence(period),
    sale.sale_date,
    facts,
  )
}

function periodSentence({ duration_months, ends_at }: EarningPeriod): string {
  if (duration_months === null || ends_at === null) return "Renewals earn for life."
  if (duration_months === 0) return "Only the first payment of a subscription earns."
  return `Renewals earn for ${countText(duration_months, "month")}, until ${dayText(ends_at)}.`
}
