import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { DecisionSteps } from "../decision/decision"
import { Dialog } from "../parts/dialog"
import { Choice, Filters, TextFilter } from "../parts/filters"
import { moneyText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { Status, type Tone } from "../parts/status"
import { type Column, Pages, Table } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/partner-conversions"
import { PartnerScreen } from "./partner-screen"
import { usePlace } from "./place"

export type Conversion = Answer<"listOwnConversions">["data"][number]

const TONES: Record<Conversion["status"], Tone> = {
  pending: "warn",
  approved: "good",
  paid: "good",
  rejected: "bad",
  reversed: "bad",
  refunded: "warn",
  none: "plain",
}

/** `hrefOf`: the address that opens the reason of a sale. */
export const conversionColumns = (hrefOf: (id: number) => string): Column<Conversion>[] => [
  {
    name: "id",
    head: words.sale,
    cell: ({ id, kind }) => (kind === "renewal" ? `${id} (${words.renewal})` : `${id}`),
  },
  { name: "at", head: words.at, cell: ({ at }) => <When time={at} /> },
  { name: "customer", head: words.customer, cell: ({ customer }) => customer },
  {
    name: "link",
    head: words.link,
    cell: ({ code, sub_id }) => <bdi>{sub_id === null ? code : `${code} · ${sub_id}`}</bdi>,
  },
  {
    name: "status",
    head: words.status,
    cell: ({ status }) => <Status tone={TONES[status]} text={words.statuses[status]} />,
  },
  {
    name: "earned",
    head: words.earned,
    isNumber: true,
    cell: ({ net_cents, currency }) => moneyText(net_cents, currency),
  },
  {
    name: "reason",
    head: words.reason,
    cell: ({ id, sentence }) => (
      <span>
        <bdi>{sentence}</bdi>{" "}
        <a href={hrefOf(id)} aria-label={words.whyOf(id)}>
          {words.why}
        </a>
      </span>
    ),
  },
]

const FILTERS = ["status", "from", "to"]

/** The sales of a partner, each with its sentence. "Why?" shows the decision step by step. */
export default function Conversions() {
  const { query, hrefWith, change } = useAddress()
  const { programId, view } = usePlace()
  const { status, from, to, page, why } = query
  const conversions = useAnswer("listOwnConversions", {
    params: { programId },
    query: { ...view, status, dateFrom: from, dateTo: to, page, pageSize: 50 },
  })
  const rows = conversions.data?.data ?? []
  const isNarrowed = FILTERS.some(name => query[name])
  return (
    <PartnerScreen name="partner/conversions">
      <p>{words.intro}</p>
      <Filters>
        <Choice name="status" label={words.status} options={Object.entries(words.statuses)} />
        <TextFilter name="from" label={words.from} type="date" />
        <TextFilter name="to" label={words.to} type="date" />
      </Filters>
      <Loaded from={conversions}>
        {rows.length === 0 ? (
          <Empty title={isNarrowed ? words.nothing : words.empty}>
            {!isNarrowed && <p>{words.emptyText}</p>}
          </Empty>
        ) : (
          <Table
            caption={words.caption}
            columns={conversionColumns(id => hrefWith({ why: id, page }))}
            rows={rows}
            isStale={conversions.isPlaceholderData}
          />
        )}
        {conversions.data && <Pages meta={conversions.data.meta} />}
      </Loaded>
      {why && <Why id={Number(why)} onClose={() => change({ why: null, page })} />}
    </PartnerScreen>
  )
}

function Why({ id, onClose }: { id: number; onClose(): void }) {
  const { of } = usePlace()
  const decision = useAnswer("showPartnerDecision", { query: { ...of, sale_id: `${id}` } })
  return (
    <Dialog title={words.title(id)} onClose={onClose}>
      <Loaded from={decision}>
        {decision.data && <DecisionSteps decision={decision.data.data} />}
      </Loaded>
    </Dialog>
  )
}
