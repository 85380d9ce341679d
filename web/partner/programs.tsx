import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { moneyText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { Status, type Tone } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { dateText } from "../parts/when"
import { words } from "../words/en/partner-programs"
import { PartnerScreen } from "./partner-screen"
import { useIsPartner } from "./place"
import { payText } from "./rate"

type Program = Answer<"listPartnerPrograms">["data"][number]

const TONES: Record<Program["status"], Tone> = {
  approved: "good",
  suspended: "warn",
  removed: "plain",
}

const COLUMNS: Column<Program>[] = [
  {
    name: "name",
    head: words.name,
    cell: ({ id, name }) => <a href={`/partner/programs/${id}`}>{name}</a>,
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => <Status tone={TONES[status]} text={words.statuses[status]} />,
  },
  { name: "pays", head: words.pays, cell: payText },
  {
    name: "window",
    head: words.window,
    cell: ({ cookie_window_days }) => words.days(cookie_window_days),
  },
  { name: "since", head: words.since, cell: ({ joined_at }) => dateText(joined_at) },
]

/** The programs that a person has joined, and what all of them owe, by currency. */
export default function Programs() {
  const { query } = useAddress()
  const isEnabled = useIsPartner()
  const programs = useAnswer("listPartnerPrograms", { query: { page: query.page } }, { isEnabled })
  const list = programs.data
  return (
    <PartnerScreen name="partner/programs">
      <Loaded from={programs}>
        {list?.meta.pagination.total === 0 ? (
          <Empty title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : (
          <>
            <Owed />
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
    </PartnerScreen>
  )
}

function Owed() {
  const balances = useAnswer("showPartnerBalances").data?.data ?? []
  if (balances.length === 0) return null
  return (
    <>
      <Tiles>
        {balances.flatMap(({ currency, owed_cents, paid_cents }) => [
          <Tile
            key={`owed ${currency}`}
            name={words.owed(currency)}
            value={moneyText(owed_cents, currency)}
          />,
          <Tile
            key={`paid ${currency}`}
            name={words.paid(currency)}
            value={moneyText(paid_cents, currency)}
          />,
        ])}
      </Tiles>
      <p class="quiet-text">{words.neverMixed}</p>
    </>
  )
}
