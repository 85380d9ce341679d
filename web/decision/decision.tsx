import type { Answer } from "../client"
import { moneyText } from "../parts/money"
import { Status, type Tone } from "../parts/status"
import { When } from "../parts/when"
import { words } from "../words/en/decision"

type Decision = Answer<"showPartnerDecision">["data"]
type Step = Decision["steps"][number]

const TONES: Record<Step["result"], Tone> = {
  passed: "good",
  applied: "good",
  waiting: "warn",
  failed: "bad",
  not_asked: "plain",
}

/** Why a sale was or was not paid: the verdict, its steps in order, and the sums. */
export function DecisionSteps({ decision }: { decision: Decision }) {
  const { sentence, steps, amounts } = decision
  const { currency } = amounts
  const sums = (["earned", "deducted", "clamped", "paid"] as const)
    .map(name => [name, amounts[`${name}_cents`]] as const)
    .filter(([name, cents]) => name === "earned" || cents !== 0)
  return (
    <div class="decision">
      <p class="promise">
        <bdi>{sentence}</bdi>
      </p>
      <ol class="steps">
        {steps
          .filter(({ result }) => result !== "not_asked")
          .map(step => (
            <li key={step.rule}>
              <Status tone={TONES[step.result]} text={words.rules[step.rule]} />
              <span>
                <bdi>{step.sentence}</bdi>
                {step.facts.formula && <code>{step.facts.formula}</code>}
              </span>
              {step.at && <When time={step.at} />}
            </li>
          ))}
      </ol>
      <dl class="facts">
        {sums.map(([name, cents]) => (
          <div key={name}>
            <dt>{words.amounts[name]}</dt>
            <dd>{moneyText(cents, currency)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
