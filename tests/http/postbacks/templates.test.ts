import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Dialect } from "../../../services/delivery/postbacks/aliases"
import { OWN, openTrackedShop, type TrackedShop } from "../../support/tracked-shop"
import { parametersOf } from "../../support/tracker"

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1"
const LABELS = { pcid: "w1/2&3", sub1: "news", sub2: "März", sub3: "a b", sub4: '"q"', sub5: "{x}" }

type Row = [dialect: Dialect, query: string, arrives: (sale: Sale) => string]

const plain = (name: string, value: (sale: Sale) => string | number): Row => [
  "tributary",
  `v={${name}}`,
  sale => `v=${value(sale)}`,
]

/** Three of each family of macros, of each dialect, and of trackers: queries, and what arrives. */
const ROWS: Row[] = [
  plain("aff_click_id", () => "w1%2F2%263"),
  plain("external_id", () => "w1%2F2%263"),
  plain("externalid", () => "w1%2F2%263"),

  plain("subid", () => "news"),
  ["tributary", "a={sub_id}&b={subid1}", () => "a=news&b=news"],
  ["tributary", "a={s1}-{aff_sub}", () => "a=news-news"],

  plain("sub2", () => "M%C3%A4rz"),
  plain("subid2", () => "M%C3%A4rz"),
  ["tributary", "a={s2}&b={aff_sub2}", () => "a=M%C3%A4rz&b=M%C3%A4rz"],

  plain("subid3", () => "a%20b"),
  plain("s4", () => "%22q%22"),
  plain("aff_sub5", () => "%7Bx%7D"),

  plain("click_ref", ({ ref }) => ref),
  plain("click_id", ({ ref }) => ref),
  plain("clickid", ({ ref }) => ref),

  plain("event", () => "sale"),
  plain("event_name", () => "sale"),
  plain("goal", () => "sale"),

  plain("status", () => "pending"),
  plain("cnv_status", () => "pending"),
  ["tributary", "s={status:pending=2 approved=1}&e={event:lead=L}", () => "s=2&e="],

  ["tributary", "a={payout}&b={payout_cents}", () => "a=15.00&b=1500"],
  plain("payout_amount", () => "15.00"),
  plain("sum", () => "15.00"),

  plain("currency", () => "USD"),
  plain("payout_currency", () => "USD"),
  plain("cnv_currency", () => "USD"),

  plain("sale_amount", () => "49.99"),
  plain("amount", () => "49.99"),
  plain("order_sum", () => "49.99"),

  plain("transaction_id", ({ transaction_id }) => transaction_id),
  plain("order_id", ({ transaction_id }) => transaction_id),
  ["tributary", "a={sale_id}&b={conversion_id}", ({ sale_id }) => `a=${sale_id}&b=${sale_id}`],

  plain("commission_id", ({ commission_id }) => commission_id),
  plain("tid", ({ commission_id }) => commission_id),
  plain("txid", ({ commission_id }) => commission_id),

  plain("affiliate_id", () => world.partner_id),
  plain("aff_id", () => world.partner_id),
  plain("pid", () => world.partner_id),

  plain("program_id", () => world.program_id),
  plain("offer_id", () => world.program_id),
  plain("offerid", () => world.program_id),

  ["tributary", "a={geo}&b={country_code}", ({ country }) => `a=${country}&b=${country}`],
  ["tributary", "a={device_type}&b={event_id}", ({ event_id }) => `a=mobile&b=${event_id}`],
  ["tributary", "a={promo_code}&b={link_code}", () => `a=&b=${world.code}`],

  plain("timestamp", ({ at }) => Math.floor(at.valueOf() / 1000)),
  plain("date", ({ at }) => encodeURIComponent(at.toISOString())),
  [
    "tributary",
    "a={click_timestamp}&b={is_renewal}",
    ({ clicked_at }) => `a=${Math.floor(clicked_at.valueOf() / 1000)}&b=0`,
  ],

  ["everflow", "id={transaction_id}", ({ ref }) => `id=${ref}`],
  ["everflow", "o={order_id}&p={payout_amount}", sale => `o=${sale.transaction_id}&p=15.00`],
  [
    "everflow",
    "c={sub1}&e={event_name}&a={affiliate_id}",
    () => `c=news&e=sale&a=${world.partner_id}`,
  ],

  ["tune", "t={transaction_id}&c={aff_click_id}", ({ ref }) => `t=${ref}&c=w1%2F2%263`],
  ["tune", "a={aff_sub}&b={aff_sub2}&c={aff_sub3}", () => "a=news&b=M%C3%A4rz&c=a%20b"],
  ["tune", "o={offer_id}&p={payout}&c={currency}", () => `o=${world.program_id}&p=15.00&c=USD`],

  ["affise", "a={transactionid}&s={status}", sale => `a=${sale.transaction_id}&s=2`],
  ["affise", "s={cnv_status}&t={transaction_id}", sale => `s=2&t=${sale.transaction_id}`],
  ["affise", "s={status:pending=hold}&g={goal}&u={sum}", () => "s=hold&g=sale&u=15.00"],

  [
    "tributary", // Voluum
    "cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}",
    sale => `cid=w1%2F2%263&payout=15.00&txid=${sale.commission_id}&et=sale`,
  ],
  [
    "tributary", // Binom
    "cnv_id={partner_click_id}&payout={payout}&cnv_status={status}&cnv_currency={currency}",
    () => "cnv_id=w1%2F2%263&payout=15.00&cnv_status=pending&cnv_currency=USD",
  ],
  [
    "tributary", // Keitaro
    "subid={partner_click_id}&status={status:approved=sale,rejected=rejected}&payout={payout}&tid={commission_id}",
    sale => `subid=w1%2F2%263&status=&payout=15.00&tid=${sale.commission_id}`,
  ],
]

type Sale = Awaited<ReturnType<typeof sellOnce>>

let world: TrackedShop
let sale: Sale
beforeAll(async () => {
  world = await openTrackedShop()
  await world.put({ share_sale_amount: true })
  const owners = [
    [OWN, world.account],
    [world.ofPartner(), world.session],
    [world.ofProgram, world.session],
  ] as const
  for (const [i, [dialect, query]] of ROWS.entries()) {
    const [route, token] = owners[i % owners.length]!
    await world.newPostback(route, token, `/t/${i}?${query}`, { dialect, events: ["sale"] })
  }
  sale = await sellOnce()
}, 120_000)
afterAll(() => world.tracker.stop())

/** Sells, and finds out what only the databases know. */
async function sellOnce() {
  const { tracker, system, buy } = world
  const sold = await buy({
    query: `&${new URLSearchParams(LABELS)}`,
    headers: { "user-agent": PHONE },
  })
  await tracker.until(ROWS.length, "/t/")
  const [event] = await system.sql<{ event_key: string; at: Date }[]>`
    select event_key, at
    from delivery.events
    where type = 'commission.created'
  `
  const [origin] = await system.sql<{ country: string | null; clicked_at: Date }[]>`
    select geo_country as country, clicked_at
    from tracking.affiliate_sale_events
  `
  const row = ROWS.findIndex(([, query]) => query === "v={click_ref}")
  return {
    ...sold,
    event_id: `evt_${event!.event_key.replaceAll("-", "")}`,
    at: event!.at,
    clicked_at: origin!.clicked_at,
    country: origin!.country ?? "",
    ref: parametersOf(tracker.at(`/t/${row}?`)[0]!).v!,
  }
}

test("sixty templates are compared, three of each kind", () => {
  expect(ROWS).toHaveLength(60)
  expect(sale.ref).toMatch(/^[\w-]{22}$/)
})

test.each(ROWS.map((row, i) => [...row, i] as const))("%s: %s", (_dialect, _query, arrives, i) => {
  expect(world.tracker.at(`/t/${i}?`).map(({ path }) => path)).toEqual([`/t/${i}?${arrives(sale)}`])
})
