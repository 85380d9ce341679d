import { useState } from "preact/hooks"
import type { Input } from "../../client"
import { Field, Select } from "../../parts/field"
import { centsOf } from "../../parts/money"
import { words } from "../../words/en/groups"
import type { Policy } from "./terms"

type Body = NonNullable<NonNullable<Input<"createGroup">["body"]>["policy"]>

const RATE = /^\s*(\d{1,3})(?:[.,](\d{1,2}))?\s*$/

/** The fields of a policy, as they are or as a first one is. */
export function PolicyFields({ policy, currency }: { policy?: Policy; currency: string }) {
  const [kind, setKind] = useState<string>(policy?.kind ?? "percent")
  const months = policy?.duration_months ?? null
  const [duration, setDuration] = useState(
    months === null ? "lifetime" : months === 0 ? "first" : "months",
  )
  return (
    <>
      <Select
        name="kind"
        label={words.kind}
        value={kind}
        options={Object.entries(words.kinds)}
        onChange={setKind}
      />
      {kind === "percent" ? (
        <Field
          key="rate"
          name="rate"
          label={words.rate}
          hint={words.rateHint}
          inputMode="decimal"
          value={policy?.kind === "percent" ? policy.rate_bps / 100 : ""}
        />
      ) : (
        <Field
          key="amount"
          name="amount"
          label={words.amount(currency)}
          inputMode="decimal"
          value={policy?.kind === "fixed" ? majorOf(policy.amount_cents, currency) : ""}
        />
      )}
      <Select
        name="duration"
        label={words.duration}
        value={duration}
        options={Object.entries(words.durations)}
        onChange={setDuration}
      />
      {duration === "months" && (
        <Field
          name="months"
          label={words.durationMonths}
          type="number"
          min={1}
          max={1_200}
          value={months || 12}
        />
      )}
      <Field
        name="hold_days"
        label={words.holdDays}
        hint={words.holdHint}
        type="number"
        min={0}
        max={90}
        value={policy?.hold_days ?? 15}
      />
      <Select
        name="auto_approve"
        label={words.autoApprove}
        value={`${policy?.auto_approve ?? true}`}
        options={Object.entries(words.autoApproves)}
      />
    </>
  )
}

/** The policy that was typed. Throws what is wrong with it. */
export function policyOf(fields: Record<string, string>, currency: string): Body {
  const { duration, months, hold_days, auto_approve, from } = fields
  const terms = {
    duration_months: duration === "lifetime" ? null : duration === "first" ? 0 : Number(months),
    hold_days: Number(hold_days),
    auto_approve: auto_approve === "true",
    ...(from && { effective_from: from }),
  }
  if (fields.kind === "fixed") {
    const amount_cents = centsOf(fields.amount ?? "", currency)
    if (amount_cents === null) throw new Error(words.amountWrong(currency))
    return { kind: "fixed", amount_cents, ...terms }
  }
  const [, whole, decimals = ""] = RATE.exec(fields.rate ?? "") ?? []
  const rate_bps = Number(`${whole}${decimals.padEnd(2, "0")}`)
  if (whole === undefined || rate_bps > 10_000) throw new Error(words.rateWrong)
  return { kind: "percent", rate_bps, ...terms }
}

/** 4999 as "49.99", to be typed on. */
function majorOf(cents: number, currency: string): string {
  for (const digits of [0, 2, 3, 4]) {
    const text = (cents / 10 ** digits).toFixed(digits)
    if (centsOf(text, currency) === cents) return text
  }
  return ""
}
