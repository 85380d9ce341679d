import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Copyable } from "../parts/copy"
import { countText, majorText, moneyText } from "../parts/money"
import { Empty, Loaded } from "../parts/states"
import { Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { dateText } from "../parts/when"
import { words } from "../words/en/partner-home"
import { Agreement } from "./agreement"
import { conversionColumns } from "./conversions"
import { PartnerScreen } from "./partner-screen"
import { useJoinedProgram, usePlace } from "./place"
import { payText } from "./rate"

type Program = Answer<"showPartnerProgram">["data"]
type Balance = Answer<"showPartnerBalances">["data"][number]

/** What a partner earned, what comes next, the link to share, and the last 30 days. */
export default function Home() {
  const program = useJoinedProgram()
  return (
    <PartnerScreen name="partner/home">
      <Loaded from={program}>{program.data && <Shown program={program.data.data} />}</Loaded>
    </PartnerScreen>
  )
}

function Shown({ program }: { program: Program }) {
  const { name, branding, policy, cookie_window_days } = program
  const hold = words.days(policy.hold_days)
  const notice = noticeOf(program)
  return (
    <>
      <section class="welcome">
        {branding.logo && <img src={branding.logo} alt="" height={48} />}
        <div>
          <h2>{name}</h2>
          {branding.welcome && <p>{branding.welcome}</p>}
        </div>
      </section>
      {notice && (
        <p class="notice" role="note">
          {notice}
        </p>
      )}
      <Money currency={program.currency} />
      <p>{words.terms(payText(program), hold, words.days(cookie_window_days))}</p>
      <LinkToShare />
      <Recent currency={program.currency} />
      <Newest />
      {program.terms && <Agreement terms={program.terms} />}
    </>
  )
}

function noticeOf({ status, program_status }: Program): string | null {
  if (status !== "approved") return words[status]
  return program_status === "active" ? null : words[program_status]
}

/** A row of tiles for each currency; that of the program alone if nothing was earned yet. */
function Money({ currency }: { currency: string }) {
  const { of } = usePlace()
  const balances = useAnswer("showPartnerBalances", { query: of })
  const rankOf = (balance: Balance) => (balance.currency === currency ? 0 : 1)
  const all = balances.data?.data ?? []
  const rows = all.toSorted((one, other) => rankOf(one) - rankOf(other))
  return (
    <Loaded from={balances}>
      {rows.length === 0 ? <Amounts balance={nothing(currency)} /> : null}
      {rows.map(balance => (
        <Amounts key={balance.currency} balance={balance} />
      ))}
      <p class="quiet-text">{words.explained}</p>
    </Loaded>
  )
}

type Amount = Pick<
  Balance,
  "currency" | "pending_cents" | "payable_cents" | "paid_cents" | "next_approval"
>

const nothing = (currency: string): Amount => ({
  currency,
  pending_cents: 0,
  payable_cents: 0,
  paid_cents: 0,
  next_approval: null,
})

function Amounts({ balance }: { balance: Amount }) {
  const { currency, pending_cents, payable_cents, paid_cents, next_approval: next } = balance
  const text = (cents: number) => moneyText(cents, currency)
  return (
    <>
      {next && <p class="promise">{words.sentence(text(next.amount_cents), dateText(next.at))}</p>}
      <Tiles>
        <Tile name={words.pending} value={text(pending_cents)} />
        <Tile name={words.due} value={text(payable_cents)} />
        <Tile name={words.paid} value={text(paid_cents)} />
      </Tiles>
    </>
  )
}

function LinkToShare() {
  const { of, base, hrefOf } = usePlace()
  const links = useAnswer("listOwnLinks", { query: { ...of, pageSize: 100 } })
  const link = links.data?.data.find(({ status, url }) => status === "active" && url !== null)
  return (
    <section class="card" aria-label={words.link}>
      <h2>{words.link}</h2>
      <Loaded from={links}>
        {link?.url ? <Copyable text={link.url} label={words.link} /> : <p>{words.noLink}</p>}
      </Loaded>
      <p>
        <a href={hrefOf(`${base}/links`)}>{words.moreLinks}</a>
      </p>
    </section>
  )
}

function Recent({ currency }: { currency: string }) {
  const { programId, view, base, hrefOf } = usePlace()
  const query = { ...view, period: "30d" }
  const summary = useAnswer("showOwnSummary", { params: { programId }, query })
  const metrics = summary.data?.data
  return (
    <section class="stack">
      <h2>
        <a href={hrefOf(`${base}/numbers`)}>{words.numbers}</a>
      </h2>
      <Loaded from={summary}>
        {metrics && (
          <Tiles>
            <Tile name={words.clicks} value={countText(metrics.totalClicks)} />
            <Tile name={words.sales} value={countText(metrics.totalSales)} />
            <Tile
              name={words.earned}
              value={majorText(metrics.totalPartnersCommission, currency)}
            />
          </Tiles>
        )}
      </Loaded>
    </section>
  )
}

/** The newest sales, each with its sentence. */
function Newest() {
  const { programId, view, base, hrefOf } = usePlace()
  const query = { ...view, pageSize: 5 }
  const conversions = useAnswer("listOwnConversions", { params: { programId }, query })
  const rows = conversions.data?.data ?? []
  const all = hrefOf(`${base}/conversions`)
  const whyOf = (id: number) => `${all}${all.includes("?") ? "&" : "?"}why=${id}`
  return (
    <section class="stack">
      <Loaded from={conversions}>
        {rows.length === 0 ? (
          <Empty title={words.noneYet}>
            <p>{words.noneYetText}</p>
          </Empty>
        ) : (
          <>
            <Table caption={words.newest} isTitled columns={conversionColumns(whyOf)} rows={rows} />
            <p>
              <a href={all}>{words.all}</a>
            </p>
          </>
        )}
      </Loaded>
    </section>
  )
}
