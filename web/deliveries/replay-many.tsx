import { Dialog } from "../parts/dialog"
import { Field, Select } from "../parts/field"
import { Form } from "../parts/form"
import { words } from "../words/en/deliveries"
import type { TypeNames } from "./delivery"

const DAY_MS = 24 * 60 * 60 * 1_000
const DAYS_MAX = 29 // the API takes 30 times 24 hours, and days begin at midnight

export type Replaying = {
  since: string
  until?: string
  types?: string[]
  only: "failed" | "all"
}

type Step = { take(replay: Replaying): void; isBusy: boolean; error: Error | null }

/** Sends the deliveries of some days again. Days are days of UTC. */
export function ReplayMany({
  types,
  step,
  onClose,
}: {
  types: TypeNames
  step: Step
  onClose(): void
}) {
  const days = { min: dayBefore(DAYS_MAX), max: dayBefore(0) }
  return (
    <Dialog title={words.replayTitle} onClose={onClose}>
      <p>{words.replayText}</p>
      <Form
        action={words.replaySubmit}
        error={step.error}
        isBusy={step.isBusy}
        onSubmit={fields => step.take(replayOf(fields))}
      >
        <Select name="only" label={words.which} options={Object.entries(words.whiches)} />
        <Select
          name="type"
          label={words.event}
          options={[["", words.every], ...Object.entries(types)]}
        />
        <Field name="since" label={words.since} type="date" value={dayBefore(1)} {...days} />
        <Field name="until" label={words.untilOptional} type="date" isOptional {...days} />
      </Form>
    </Dialog>
  )
}

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const replayOf = ({ only, type, since, until }: Record<string, string>): Replaying => ({
  only: only as Replaying["only"],
  since: `${since}T00:00:00Z`,
  ...(until && { until: `${until}T23:59:59.999Z` }),
  ...(type && { types: [type] }),
})
