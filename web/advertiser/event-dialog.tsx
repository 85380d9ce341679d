import type { ComponentChildren } from "preact"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Dialog } from "../parts/dialog"
import { Money } from "../parts/money"
import { Loaded } from "../parts/states"
import { When } from "../parts/when"
import { words } from "../words/en/events"

/** The event that the address names as `?event=click-7`, with the way to its customer's journey. */
export function EventDialog({ programId }: { programId: number }) {
  const { query, change } = useAddress()
  const [, kind, id] = /^(click|lead|conversion)-(\d+)$/.exec(query.event ?? "") ?? []
  if (!kind || !id) return null

  const Details = { click: Click, lead: Lead, conversion: Sale }[kind as "click"]
  const close = () => change({ event: null, page: query.page })
  return (
    <Dialog title={words.kinds[kind as "click"]} onClose={close}>
      <Details programId={programId} id={id} />
    </Dialog>
  )
}

type Shown = { programId: number; id: string }
type Fact = [name: string, value: ComponentChildren]

function Click({ programId, id }: Shown) {
  const shown = useAnswer("showClick", { params: { id: programId, clickEventId: id } })
  const click = shown.data?.data
  return (
    <Loaded from={shown}>
      {click && (
        <>
          <Facts
            facts={[
              [words.when, <When time={click.click_timestamp} />],
              [words.page, click.page_url],
              [words.referrer, click.referrer_url],
              [words.country, [click.geo_city, click.geo_country].filter(Boolean).join(", ")],
              [words.browser, [click.browser_name, click.device_os].filter(Boolean).join(", ")],
              [words.subId, click.sub_id],
              [words.clickId, click.click_id],
              [words.window, click.cookie_window_days && words.days(click.cookie_window_days)],
            ]}
          />
          <Journey programId={programId} customer={click.customer} />
        </>
      )}
    </Loaded>
  )
}

function Lead({ programId, id }: Shown) {
  const shown = useAnswer("showLead", { params: { id: programId, leadEventId: id } })
  const lead = shown.data?.data
  return (
    <Loaded from={shown}>
      {lead && (
        <>
          <Facts
            facts={[
              [words.when, <When time={lead.lead_timestamp} />],
              [words.customer, lead.customer_key],
              [words.page, lead.page_url],
              [words.clickId, lead.click_id],
            ]}
          />
          <Journey programId={programId} customer={lead.customer} />
        </>
      )}
    </Loaded>
  )
}

function Sale({ programId, id }: Shown) {
  const shown = useAnswer("showSale", { params: { id: programId, saleId: id } })
  const sale = shown.data?.data
  return (
    <Loaded from={shown}>
      {sale && (
        <>
          <Facts
            facts={[
              [words.when, <When time={sale.sale_date} />],
              [words.transaction, sale.transaction_id],
              [words.amount, <Money cents={sale.amount_cents} currency={sale.currency} />],
              [words.customer, sale.customer_key],
              [
                words.commission,
                sale.commission ? (
                  <Money cents={sale.commission.amount_cents} currency={sale.commission.currency} />
                ) : (
                  words.noCommission
                ),
              ],
              [words.clickId, sale.click_id],
            ]}
          />
          <Journey programId={programId} customer={sale} />
        </>
      )}
    </Loaded>
  )
}

const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value || "–"}</dd>
      </div>
    ))}
  </dl>
)

function Journey({
  programId,
  customer,
}: {
  programId: number
  customer: { customer_key: string | null } | null
}) {
  if (!customer?.customer_key) return <p class="quiet-text">{words.noJourney}</p>
  const key = encodeURIComponent(customer.customer_key)
  return (
    <p>
      <a class="button primary" href={`/programs/${programId}/customers/${key}`}>
        {words.journey}
      </a>
    </p>
  )
}
