import type { Answer } from "../client"
import { moneyText, rateText } from "../parts/money"
import { words } from "../words/en/rate"

type Program = Pick<Answer<"showPartnerProgram">["data"], "policy" | "currency">

/** What a sale earns, in words: "30 % of each sale, for life". */
export function payText({ policy, currency }: Program): string {
  const price =
    policy.kind === "percent"
      ? words.percent(rateText(policy.rate_bps))
      : words.fixed(moneyText(policy.amount_cents, currency))
  return words.both(price, words.duration(policy.duration_months ?? null))
}
