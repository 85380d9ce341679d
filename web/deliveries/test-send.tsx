import { useAddress } from "../address"
import type { Answer } from "../client"
import { Select } from "../parts/field"
import { Form } from "../parts/form"
import { Status } from "../parts/status"
import { words } from "../words/en/deliveries"
import type { TypeNames } from "./delivery"
import { outcomeText } from "./outcome"

type Step = {
  take(type: string): void
  isBusy: boolean
  error: Error | null
  answer: { data: Answer<"testWebhookEndpoint">["data"] } | undefined
}

/** Sends a sample at once and shows what the receiver answered. */
export function TestSend({ types, step }: { types: TypeNames; step: Step }) {
  const { query, hrefWith } = useAddress()
  const result = step.answer?.data
  return (
    <section class="card">
      <h2>{words.test}</h2>
      <p>{words.testText}</p>
      <Form
        action={step.isBusy ? words.testing : words.send}
        error={step.error}
        isBusy={step.isBusy}
        onSubmit={({ type = "" }) => step.take(type)}
      >
        <Select name="type" label={words.event} options={Object.entries(types)} />
      </Form>
      <div role="status">
        {result && !step.isBusy && (
          <p>
            <Status
              tone={result.ok ? "good" : "bad"}
              text={result.ok ? words.accepted : words.refused}
            />{" "}
            {outcomeText(result)}{" "}
            <a href={hrefWith({ delivery: result.delivery_id, page: query.page })}>
              {words.details}
            </a>
          </p>
        )}
      </div>
    </section>
  )
}
