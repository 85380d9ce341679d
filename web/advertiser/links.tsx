import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Copyable } from "../parts/copy"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { countText } from "../parts/money"
import { QrButton } from "../parts/qr"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { useMay, useProgramId } from "../session"
import { words } from "../words/en/links"
import { CreateLink } from "./links/create"
import type { Link } from "./links/link"
import { LinkSteps } from "./links/steps"

const columnsOf = (program_id: number, mayChange: boolean): Column<Link>[] => [
  { name: "code", head: words.code, cell: ({ code }) => code },
  {
    name: "partner",
    head: words.partner,
    cell: ({ partner_id, partner_name }) => (
      <a href={`/programs/${program_id}/partners/${partner_id}`}>{partner_name ?? partner_id}</a>
    ),
  },
  {
    name: "target",
    head: words.target,
    cell: ({ destination_url }) => destination_url ?? words.ofProgram,
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => (
      <Status
        tone={status === "active" ? "good" : "warn"}
        text={words.statuses[status as keyof typeof words.statuses]}
      />
    ),
  },
  { name: "clicks", head: words.clicks, isNumber: true, cell: ({ clicks }) => countText(clicks) },
  {
    name: "last",
    head: words.lastClick,
    cell: ({ last_clicked }) => (last_clicked ? <When time={last_clicked} /> : words.never),
  },
  {
    name: "share",
    head: words.share,
    cell: ({ url, code }) =>
      url && (
        <>
          <Copyable text={url} label={code} /> <QrButton text={url} name={code} />
        </>
      ),
  },
  ...(mayChange
    ? [{ name: "steps", head: words.steps, cell: (link: Link) => <LinkSteps link={link} /> }]
    : []),
]

/** The links of a program's partners. */
export default function Links() {
  const { query, path, hrefWith } = useAddress()
  const may = useMay()
  const id = useProgramId()!
  const [isCreating, setCreating] = useState(false)
  const { page, status, search, partner_id } = query
  const links = useAnswer("listLinks", {
    params: { id },
    query: { page, status, search, partner_id, pageSize: 50 },
  })
  const list = links.data
  const create = may("program:update") && (
    <button type="button" class="primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  )
  return (
    <Screen name="advertiser/links" actions={create}>
      {isCreating && <CreateLink onClose={() => setCreating(false)} />}
      <Filters>
        <TextFilter name="search" label={words.search} type="search" />
        <Choice name="status" label={words.status} options={Object.entries(words.statuses)} />
      </Filters>
      {partner_id && (
        <p>
          {words.ofPartner} <a href={hrefWith({ partner_id: null })}>{words.allPartners}</a>
        </p>
      )}
      <Loaded from={links}>
        {list?.meta.pagination.total === 0 ? (
          status || search || partner_id ? (
            <Empty title={words.none}>
              <a href={path}>{words.clear}</a>
            </Empty>
          ) : (
            <Empty title={words.empty}>
              <p>{words.emptyText}</p>
            </Empty>
          )
        ) : (
          <>
            <Table
              caption={words.caption}
              isTitled
              columns={columnsOf(id, may("program:update"))}
              rows={list?.data ?? []}
              isStale={links.isPlaceholderData}
            />
            {list && <Pages meta={list.meta} />}
          </>
        )}
      </Loaded>
    </Screen>
  )
}
