import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { addressOf } from "../client"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { Screen } from "../parts/screen"
import { Empty, Freshness, Loaded } from "../parts/states"
import { Pages, Table } from "../parts/table"
import { useProgramId } from "../session"
import { words } from "../words/en/events"
import { EventDialog } from "./event-dialog"
import { EVENT_COLUMNS, rowOf } from "./event-row"

const PAGE_SIZE = 50
const FILTERS = [
  ...["eventType", "dateFrom", "dateTo", "partner_id", "link_id", "customer_key"],
  ...["transaction_id", "country", "test"],
] as const

/** The events of a program, narrowed by what the address says. */
export default function Events() {
  const programId = useProgramId()!
  const { query } = useFilter()
  const csv = (
    <a
      class="button"
      download
      href={addressOf("listEvents", { params: { programId }, query: { ...query, format: "csv" } })}
    >
      {words.csv}
    </a>
  )
  return (
    <Screen name="advertiser/events" actions={csv}>
      <EventFilters programId={programId} />
      <EventList programId={programId} />
      <EventDialog programId={programId} />
    </Screen>
  )
}

function EventList({ programId }: { programId: number }) {
  const { query: address, hrefWith } = useAddress()
  const { query, isFiltered } = useFilter()
  const { page } = address
  const events = useAnswer("listEvents", {
    params: { programId },
    query: { ...query, page, pageSize: PAGE_SIZE },
  })
  return (
    <Loaded from={events}>
      {events.data?.meta.pagination.total === 0 ? (
        <NoEvents isFiltered={isFiltered} programId={programId} />
      ) : (
        <>
          <Table
            caption={words.caption}
            columns={EVENT_COLUMNS}
            rows={(events.data?.data ?? []).map(event =>
              rowOf(event, hrefWith({ page, event: `${event.event_type}-${event.id}` })),
            )}
            isStale={events.isPlaceholderData}
          />
          {events.data && <Pages meta={events.data.meta} />}
          <Freshness until={events.data?.meta.appliedUntil} />
        </>
      )}
    </Loaded>
  )
}

/** The filters of the address, as the API takes them. */
function useFilter() {
  const { query } = useAddress()
  const sent = Object.fromEntries(FILTERS.map(name => [name, sentValue(name, query[name])]))
  return { query: sent, isFiltered: FILTERS.some(name => query[name]) }
}

/** A country has two letters: what is still being typed narrows nothing. */
function sentValue(name: string, value: string | undefined): string | undefined {
  if (name !== "country") return value
  return /^[a-z]{2}$/i.test(value ?? "") ? value?.toUpperCase() : undefined
}

function EventFilters({ programId }: { programId: number }) {
  const program = { params: { id: programId }, query: { pageSize: 100 } }
  const partners = useAnswer("listPartners", program).data?.data ?? []
  const links = useAnswer("listLinks", program).data?.data ?? []
  const { query } = useAddress()
  return (
    <Filters>
      <Choice
        name="eventType"
        label={words.type}
        options={Object.entries(words.kinds) as [string, string][]}
      />
      <TextFilter name="dateFrom" label={words.from} type="date" />
      <TextFilter name="dateTo" label={words.to} type="date" />
      <Choice
        name="partner_id"
        label={words.partner}
        options={withChosen(
          partners.map(({ partner_id, name }) => [`${partner_id}`, name]),
          query.partner_id,
        )}
      />
      <Choice
        name="link_id"
        label={words.link}
        options={withChosen(
          links.map(({ id, code }) => [`${id}`, code]),
          query.link_id,
        )}
      />
      <TextFilter name="customer_key" label={words.customer} type="search" />
      <TextFilter name="transaction_id" label={words.transaction} type="search" />
      <TextFilter name="country" label={words.countryHint} />
      <Choice
        name="test"
        label={words.tests}
        any={words.realOnly}
        options={[["true", words.testsOnly]]}
      />
    </Filters>
  )
}

/** The chosen value stays an option although the list of names is not that long. */
const withChosen = (options: [string, string][], chosen: string | undefined) =>
  !chosen || options.some(([value]) => value === chosen)
    ? options
    : [...options, [chosen, chosen] as [string, string]]

function NoEvents({ isFiltered, programId }: { isFiltered: boolean; programId: number }) {
  return isFiltered ? (
    <Empty title={words.empty}>
      <p>{words.emptyText}</p>
    </Empty>
  ) : (
    <Empty title={words.emptyProgram}>
      <p>{words.emptyProgramText}</p>
      <a class="button primary" href={`/programs/${programId}/integration`}>
        {words.integrate}
      </a>
    </Empty>
  )
}
