import type { Answer } from "../../client"
import { Status } from "../../parts/status"
import { timeText } from "../../parts/when"
import { words } from "../../words/en/webhooks"

export type Webhook = Answer<"listWebhookEndpoints">["data"][number]

/** The names of programs by id. */
export type Names = ReadonlyMap<number, string>

/** The types of events that a webhook receives. */
export function Events({ of }: { of: Webhook["events"] }) {
  if (of.includes("*")) return <>{words.everything}</>
  return (
    <ul>
      {of.map(type => (
        <li key={type}>{words.types[type] ?? type}</li>
      ))}
    </ul>
  )
}

export function ProgramsOf({ of: { program_ids }, names }: { of: Webhook; names: Names }) {
  const listed = program_ids?.map(id => names.get(id) ?? `${id}`).join(", ")
  return <>{listed ?? words.everyProgram}</>
}

export const State = ({ of: { status } }: { of: Webhook }) => (
  <Status tone={status === "enabled" ? "good" : "plain"} text={words.statuses[status]} />
)

/** The masked secret, and until when the one before it signs too. */
export function Secret({ of: { secret_masked, previous_secret_valid_until } }: { of: Webhook }) {
  if (secret_masked === null) return <span class="bad-text">{words.noSecret}</span>
  return (
    <>
      <code>{secret_masked}</code>
      {previous_secret_valid_until && (
        <span class="hint"> {words.alsoOld(timeText(previous_secret_valid_until))}</span>
      )}
    </>
  )
}
