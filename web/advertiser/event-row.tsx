import type { ComponentChildren } from "preact"
import type { Answer } from "../client"
import { Money } from "../parts/money"
import { Status, type Tone } from "../parts/status"
import type { Column } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/events"

export type Event = Answer<"listEvents">["data"][number]

/** A row of a list of events. `id` is unique among the kinds. */
export type EventRow = {
  id: string
  at: string
  href: string
  kind: string
  tone: Tone
  details: ComponentChildren
  amount: ComponentChildren
  country: string | null
  device: string | null
}

const TONES: Record<Event["event_type"], Tone> = {
  click: "plain",
  lead: "warn",
  conversion: "good",
}

/** The row of an event, whose time leads to `href`. */
export function rowOf(event: Event, href: string): EventRow {
  const isTest = "is_test" in event
  const kind = words.kinds[event.event_type]
  return {
    id: `${event.event_type}-${event.id}`,
    at: event.timestamp,
    href,
    kind: isTest ? `${kind} (${words.test})` : kind,
    tone: TONES[event.event_type],
    details: detailsOf(event),
    amount:
      event.event_type === "conversion" ? (
        <Money cents={event.amount_cents} currency={event.currency} />
      ) : null,
    country: event.event_type === "click" ? event.geo_country : null,
    device: event.event_type === "click" ? deviceOf(event) : null,
  }
}

function detailsOf(event: Event): string {
  switch (event.event_type) {
    case "click":
      return event.page_url ?? event.referrer_url ?? words.direct
    case "lead":
      return event.customer_key ?? words.withoutKey
    case "conversion":
      return event.processor_event_id ?? "–"
  }
}

const deviceOf = ({ device_type, browser_name }: Event & { event_type: "click" }) =>
  [device_type, browser_name].filter(Boolean).join(", ") || null

export const EVENT_COLUMNS: Column<EventRow>[] = [
  {
    name: "when",
    head: words.when,
    cell: ({ at, href }) => (
      <a href={href}>
        <When time={at} />
      </a>
    ),
  },
  { name: "kind", head: words.kind, cell: ({ tone, kind }) => <Status tone={tone} text={kind} /> },
  {
    name: "details",
    head: words.details,
    cell: ({ details }) => <span class="clamped">{details}</span>,
  },
  { name: "amount", head: words.amount, isNumber: true, cell: ({ amount }) => amount ?? "–" },
  { name: "country", head: words.country, cell: ({ country }) => country ?? "–" },
  { name: "device", head: words.device, cell: ({ device }) => device ?? "–" },
]
