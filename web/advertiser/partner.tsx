import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Copyable } from "../parts/copy"
import { countText, moneyText } from "../parts/money"
import { QrButton } from "../parts/qr"
import { Screen } from "../parts/screen"
import { Loaded } from "../parts/states"
import { Status } from "../parts/status"
import { type Column, Table } from "../parts/table"
import { Tile, Tiles } from "../parts/tiles"
import { useMay, useProgramId } from "../session"
import { words } from "../words/en/one-partner"
import { PartnerActions } from "./partners/actions"
import { PartnerDetails } from "./partners/details"
import { PartnerHistory } from "./partners/history"
import { PartnerNumbers } from "./partners/numbers"
import type { Partner } from "./partners/partner-status"

type Link = Partner["links"][number]

/** One partner: what they bring, what they are owed, and all that can be changed about them. */
export default function PartnerScreen() {
  const { params } = useAddress()
  const may = useMay()
  const id = useProgramId()!
  const partner_id = params.partnerId!
  const partner = useAnswer("showPartner", { params: { id, partnerId: partner_id } })
  const shown = partner.data?.data

  return (
    <Screen
      name="advertiser/partner"
      title={shown?.name}
      actions={shown && <PartnerActions partner={shown} />}
    >
      <Loaded from={partner}>
        {shown && (
          <>
            <PartnerNumbers partner_id={shown.partner_id} />
            <section>
              <h2>{words.money}</h2>
              <Money partner={shown} />
            </section>
            <section>
              <h2>{words.links}</h2>
              <Table caption={words.linksCaption} isTitled columns={LINKS} rows={shown.links} />
              <a href={`/programs/${id}/links?partner_id=${shown.partner_id}`}>{words.allLinks}</a>
            </section>
            <section>
              <h2>{words.postbacks}</h2>
              <p>{words.postbacksText}</p>
              <a href={`/programs/${id}/partners/${shown.partner_id}/postbacks`}>
                {words.allPostbacks}
              </a>
            </section>
            <PartnerDetails key={shown.partner_id} partner={shown} />
            {may("audit_log:read") && <PartnerHistory partner={shown} />}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

const LINKS: Column<Link>[] = [
  { name: "code", head: words.link, cell: ({ code }) => code },
  {
    name: "url",
    head: words.target,
    cell: ({ url, code }) => url && <Copyable text={url} label={code} />,
  },
  {
    name: "status",
    head: words.linkStatus,
    cell: ({ status }) => (
      <Status
        tone={status === "active" ? "good" : "warn"}
        text={words.linkStatuses[status as "active" | "inactive"]}
      />
    ),
  },
  {
    name: "clicks",
    head: words.clicks,
    isNumber: true,
    cell: ({ clicks }) => countText(clicks),
  },
  {
    name: "qr",
    head: words.qr,
    cell: ({ url, code }) => url && <QrButton text={url} name={code} />,
  },
]

/** What is owed, by currency: they are never added up. */
function Money({ partner }: { partner: Partner }) {
  const id = useProgramId()!
  if (partner.balances.length === 0) return <p>{words.moneyNone}</p>
  return (
    <>
      <Tiles>
        {partner.balances.map(({ currency, balance_cents }) => (
          <Tile
            key={currency}
            name={words.owed(currency)}
            value={moneyText(balance_cents, currency)}
          />
        ))}
      </Tiles>
      <a href={`/programs/${id}/commissions?partner_id=${partner.partner_id}`}>
        {words.commissions}
      </a>
    </>
  )
}
