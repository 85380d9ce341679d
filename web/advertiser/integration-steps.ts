import type { Answer } from "../client"

type Shown = Answer<"showStatus">["data"]

export const STEPS = ["pageview", "referrals", "payments"] as const
export type StepName = (typeof STEPS)[number]

/** Whether a step has arrived as sales need it: a sale cannot name the customer of a lead without customer_key. */
export const isDone = ({ stepStatuses, hints }: Shown, step: StepName): boolean =>
  stepStatuses[step] === "complete" &&
  !(step === "referrals" && hints.some(({ code }) => code === "leads_without_key"))
