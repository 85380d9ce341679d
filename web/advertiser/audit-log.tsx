import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { type Answer, addressOf } from "../client"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { Screen } from "../parts/screen"
import { Empty, Freshness, Loaded } from "../parts/states"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/audit-log"
import { Details } from "./audit-log/details"
import { Subject } from "./audit-log/subject"

export type Entry = Answer<"listAuditEntries">["data"][number]

const FILTERS = ["actor_id", "action", "program_id", "dateFrom", "dateTo"] as const

const columnsOf = (workspace_id: number): Column<Entry>[] => [
  { name: "when", head: words.when, cell: ({ at }) => <When time={at} /> },
  { name: "who", head: words.who, cell: ({ actor }) => <Actor of={actor} /> },
  { name: "what", head: words.what, cell: ({ action }) => words.actions[action] ?? action },
  {
    name: "of",
    head: words.of,
    cell: entry => <Subject of={entry} workspace_id={workspace_id} />,
  },
  {
    name: "details",
    head: words.details,
    cell: entry => <Details of={entry} workspace_id={workspace_id} />,
  },
]

/** Who changed what in a workspace. */
export default function AuditLog() {
  const { params, query } = useAddress()
  const workspace_id = Number(params.id)
  const filters: Partial<Record<(typeof FILTERS)[number], string>> = {}
  for (const name of FILTERS) if (query[name]) filters[name] = query[name]
  if (filters.actor_id) Object.assign(filters, { actor_kind: "user" })

  const path = { params: { id: workspace_id } }
  const log = useAnswer("listAuditEntries", {
    ...path,
    query: { ...filters, page: query.page, pageSize: 50 },
  })
  const csv = addressOf("listAuditEntries", { ...path, query: { ...filters, format: "csv" } })
  return (
    <Screen
      name="advertiser/audit-log"
      actions={
        <a class="button" href={csv} download title={words.csvHint}>
          {words.csv}
        </a>
      }
    >
      <AuditFilters workspace_id={workspace_id} />
      <Loaded from={log}>
        {log.data?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Freshness until={log.data?.meta.appliedUntil} />
            <Table
              caption={words.caption}
              columns={columnsOf(workspace_id)}
              rows={log.data?.data ?? []}
              isStale={log.isPlaceholderData}
            />
            {log.data && <Pages meta={log.data.meta} />}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function AuditFilters({ workspace_id }: { workspace_id: number }) {
  const members = useAnswer("listMembers", {
    params: { id: workspace_id },
    query: { pageSize: 100 },
  })
  const programs = useAnswer("listPrograms", { workspace: workspace_id, query: { pageSize: 100 } })
  return (
    <>
      <Filters>
        <Choice name="action" label={words.action} options={Object.entries(words.actions)} />
        <Choice
          name="actor_id"
          label={words.actor}
          options={(members.data?.data ?? []).map(({ user_id, name }) => [`${user_id}`, name])}
        />
        <Choice
          name="program_id"
          label={words.program}
          options={(programs.data?.data ?? []).map(({ id, name }) => [`${id}`, name])}
        />
        <TextFilter name="dateFrom" label={words.from} type="date" />
        <TextFilter name="dateTo" label={words.to} type="date" />
      </Filters>
      <p class="hint">{words.days}</p>
    </>
  )
}

function Actor({ of: { kind, name, address } }: { of: Entry["actor"] }) {
  const shown = name === null ? words.kinds[kind] : kind === "key" ? words.key(name) : name
  return (
    <>
      {shown}
      {address && <span class="hint"> {words.from_address(address)}</span>}
    </>
  )
}
