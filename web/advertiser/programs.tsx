import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { Status, type Tone } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { dateText } from "../parts/when"
import { useMay, useMembership } from "../session"
import { words } from "../words/en/programs"

type Program = Answer<"listPrograms">["data"][number]

const TONES: Record<Program["status"], Tone> = { active: "good", paused: "warn", archived: "plain" }

const COLUMNS: Column<Program>[] = [
  {
    name: "name",
    head: words.name,
    cell: ({ id, name }) => <a href={`/programs/${id}`}>{name}</a>,
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => <Status tone={TONES[status]} text={words.statuses[status]} />,
  },
  { name: "currency", head: words.currency, cell: ({ currency }) => currency },
  { name: "since", head: words.since, cell: ({ created_at }) => dateText(created_at) },
]

/** The programs of a workspace. */
export default function Programs() {
  const { query } = useAddress()
  const may = useMay()
  const workspace = useMembership()?.workspace.id
  const programs = useAnswer("listPrograms", { workspace, query: { page: query.page } })
  const list = programs.data
  const create = may("program:create") && (
    <a class="button primary" href={`/programs/new?workspace=${workspace}`}>
      {words.create}
    </a>
  )
  return (
    <Screen name="advertiser/programs" actions={create}>
      <Loaded from={programs}>
        {list?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>{create}</Empty>
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={COLUMNS}
              rows={list?.data ?? []}
              isStale={programs.isPlaceholderData}
            />
            {list && <Pages meta={list.meta} />}
          </>
        )}
      </Loaded>
    </Screen>
  )
}
