import type { ReplyOf, RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Origin } from "../contract"
import { sql } from "../db"
import { clickRefOf } from "./click-ref"
import { type LabelName, labelsOf } from "./labels"

type Request = RequestOf<typeof contract.showOrigins>
type Reply = ReplyOf<typeof contract.showOrigins>
type Sale = Reply["sales"][number]

/** Sales are found while they are pending, too: the event of their commission may come first. */
export async function showOrigins({ lead_ids, sale_ids }: Request): Promise<Reply> {
  const leads = await sql<Row<Origin>[]>`
    select ${COLUMNS}
    from affiliate_lead_events as event
    join referral_links as link on link.id = event.link_id
    where event.id = any (${lead_ids}::bigint[])
      and not is_test
  `
  const sales = await sql<Row<Sale>[]>`
    select ${COLUMNS}, amount_cents, currency, first_sale_id is not null as is_renewal
    from affiliate_sale_events as event
    join referral_links as link on link.id = event.link_id
    where event.id = any (${sale_ids}::bigint[])
      and not is_test
  `
  return { leads: leads.map(originOf<Origin>), sales: sales.map(originOf<Sale>) }
}

const COLUMNS = sql`
  event.id, event.program_id, event.partner_id, code as link_code, affiliate_url, sub_id,
  click_event_id, clicked_at, geo_country as country, device_type
`

type Row<Of extends Origin> = Omit<Of, LabelName | "click_ref"> & {
  affiliate_url: string | null
  sub_id: string | null
  click_event_id: number | null
}

/** An erasure clears the address, but not the label that reports break down by. */
function originOf<Of extends Origin>(row: Row<Of>) {
  const { affiliate_url, sub_id, click_event_id, ...fields } = row
  const click_ref = click_event_id === null ? null : clickRefOf(click_event_id)
  return { ...fields, ...labelsOf(affiliate_url), sub1: sub_id, click_ref } as unknown as Of
}
