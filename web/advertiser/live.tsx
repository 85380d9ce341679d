import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Choice, Filters } from "../parts/filters"
import { Screen } from "../parts/screen"
import { Empty, Freshness, Loaded } from "../parts/states"
import { Table } from "../parts/table"
import { usePollInterval } from "../poll"
import { useMay, useProgramId } from "../session"
import { words } from "../words/en/live"
import { EventDialog } from "./event-dialog"
import { EVENT_COLUMNS, type EventRow, rowOf } from "./event-row"
import { type RefusedCall, routeText, sentText } from "./refused-call"

const ROWS = 25

/** The newest events of a program, with the refused calls among them. */
export default function Live() {
  const programId = useProgramId()!
  return (
    <Screen name="advertiser/live">
      <p class="quiet-text">{words.intro}</p>
      <Filters>
        <Choice name="test" label={words.what} any={words.real} options={[["true", words.tests]]} />
      </Filters>
      <Newest programId={programId} />
      <EventDialog programId={programId} />
    </Screen>
  )
}

function Newest({ programId }: { programId: number }) {
  const { query, hrefWith } = useAddress()
  const poll = { poll_ms: usePollInterval() }
  const may = useMay()
  const events = useAnswer(
    "listEvents",
    { params: { programId }, query: { test: query.test, pageSize: ROWS } },
    poll,
  )
  const calls = useAnswer(
    "listTrackingCalls",
    { params: { id: programId }, query: { status: "refused" } },
    { ...poll, isEnabled: may("tracking:read") },
  )
  const rows = [
    ...(events.data?.data ?? []).map(event =>
      rowOf(event, hrefWith({ event: `${event.event_type}-${event.id}` })),
    ),
    ...(calls.data?.data ?? []).map((call, i) => refusedRow(call, i, programId)),
  ]
  const newest = rows.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, ROWS)
  return (
    <Loaded from={events}>
      {newest.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
          <a class="button primary" href={`/programs/${programId}/integration`}>
            {words.integrate}
          </a>
        </Empty>
      ) : (
        <Table caption={words.caption} isTitled columns={EVENT_COLUMNS} rows={newest} />
      )}
      <Freshness until={events.data?.meta.appliedUntil} />
    </Loaded>
  )
}

const refusedRow = (call: RefusedCall, i: number, programId: number): EventRow => ({
  id: `call-${call.at}-${i}`,
  at: call.at,
  href: `/programs/${programId}/integration#refused`,
  kind: `${routeText(call)}: ${words.refused}`,
  tone: "bad",
  details: `${call.error} ${sentText(call)}`,
  amount: null,
  country: null,
  device: null,
})
