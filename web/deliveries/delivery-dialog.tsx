import type { ComponentChildren } from "preact"
import { useAddress } from "../address"
import { Code } from "../parts/code"
import { Dialog } from "../parts/dialog"
import { Loaded, Trouble } from "../parts/states"
import { When } from "../parts/when"
import { words } from "../words/en/deliveries"
import { Attempts } from "./attempts"
import type { DeliveryDetails, TypeNames } from "./delivery"
import { DeliveryState } from "./outcome"

type Read = { data?: { data: DeliveryDetails }; error: Error | null; refetch(): unknown }
type Replay = { take(): void; isBusy: boolean; error: Error | null }

/** The id of the delivery that the address names. Null: none. */
export const useDeliveryId = (): string | null => {
  const { delivery = "" } = useAddress().query
  return /^\d+$/.test(delivery) ? delivery : null
}

/** A delivery: what is sent, and each attempt. `replay` null: the person may not send it again. */
export function DeliveryDialog({
  from,
  types,
  replay,
}: {
  from: Read
  types: TypeNames
  replay: Replay | null
}) {
  const { query, change } = useAddress()
  const delivery = from.data?.data
  return (
    <Dialog
      title={words.delivery}
      onClose={() => change({ delivery: null, page: query.page })}
      isWide
    >
      <Loaded from={from}>
        {delivery && (
          <>
            <Facts delivery={delivery} types={types} />
            {replay && delivery.status !== "pending" && <ReplayOne replay={replay} />}
            <Request delivery={delivery} />
            <Attempts of={delivery.attempts} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function Facts({ delivery, types }: { delivery: DeliveryDetails; types: TypeNames }) {
  const { type, event_id, status, created_at, next_attempt_at } = delivery
  const facts: [string, ComponentChildren][] = [
    [words.event, types[type] ?? type],
    [words.eventId, <code>{event_id}</code>],
    [words.status, <DeliveryState status={status} />],
    [words.when, <When time={created_at} />],
    [words.next, next_attempt_at === null ? words.none : <When time={next_attempt_at} />],
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const ReplayOne = ({ replay: { take, isBusy, error } }: { replay: Replay }) => (
  <>
    <Trouble error={error} isWrite />
    <div class="actions">
      <button type="button" disabled={isBusy} onClick={take}>
        {words.replayOne}
      </button>
    </div>
  </>
)

function Request({ delivery: { method, url, body } }: { delivery: DeliveryDetails }) {
  return (
    <section class="stack">
      <h3>{words.request}</h3>
      {url && <Code text={`${method} ${url}`} label={words.address} />}
      {body !== null && <Code text={body} label={words.body} />}
    </section>
  )
}
