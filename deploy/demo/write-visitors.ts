import { WINDOW_DAYS } from "./cast"
import { insertRows, iso, reserveIds, type Sql } from "./rows"
import type { AGENTS } from "./shop"
import type { Purchase, Visit, Visitor } from "./visitors"
import type { Partner, Scene } from "./write-partners"

const SHOP = "https://shop.example.com"

const USER_AGENTS = {
  iOS: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1",
  Android: "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile",
  macOS: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15",
  Windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0",
  Linux: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
} as const satisfies Record<(typeof AGENTS)[keyof typeof AGENTS][1], string>

type Click = { id: number; visit: Visit; customer: Customer }
type Customer = Visitor & { id: number; customer_key: string | null }

/** Stores the customers, clicks and leads of the visitors. Returns what their sales refer to. */
export async function writeVisitors(
  sql: Sql,
  scene: Scene,
  visitors: Visitor[],
  partners: Map<string, Partner>,
) {
  const customers = await customersOf(sql, visitors)
  const clicks = await clicksOf(sql, customers)
  const { program_id, xact: final_xact } = scene
  const clickIds = new Map(clicks.map(({ id, visit }) => [visit, id]))

  const subjectOf = ({ id: customer_id }: Customer, { partner, code }: Visit) => {
    const { id: partner_id, links } = partners.get(partner.email)!
    const click_id = clickIdOf(customer_id)
    return { program_id, customer_id, click_id, partner_id, link_id: links.get(code)! }
  }
  const attributionOf = (customer: Customer) => {
    const visit = lastOf(customer)
    const click_event_id = clickIds.get(visit)!
    return { ...subjectOf(customer, visit), ...originOf(customer, visit), click_event_id }
  }

  await insertRows(
    sql,
    "tracking.customers",
    customers.map(customer => {
      const visit = lastOf(customer)
      const { customer_id: id, ...subject } = subjectOf(customer, visit)
      return {
        id,
        ...subject,
        ...stateOf(customer),
        click_event_id: clickIds.get(visit),
        attributed_at: iso(visit.at),
        created_at: iso(customer.visits[0]!.at),
      }
    }),
  )
  await insertRows(
    sql,
    "tracking.affiliate_click_events",
    clicks.map(({ id, visit, customer }) => ({
      id,
      ...subjectOf(customer, visit),
      ...originOf(customer, visit),
      ...pageOf(visit),
      window_days: WINDOW_DAYS,
      session_id: `visit-${id}`,
      user_agent: USER_AGENTS[customer.agent[1]],
      geo_region: customer.place[1],
      geo_city: customer.place[2],
      device_os: customer.agent[1],
      click_timestamp: iso(visit.at),
      created_at: iso(visit.at),
      final_xact,
    })),
  )
  const leads = customers
    .flatMap(customer => (customer.signed_up_at ? [{ customer, at: customer.signed_up_at }] : []))
    .sort((one, other) => one.at - other.at)
  const leadIds = await reserveIds(sql, "tracking.affiliate_lead_events", leads.length)
  await insertRows(
    sql,
    "tracking.affiliate_lead_events",
    leads.map(({ customer, at }, i) => ({
      id: leadIds[i],
      ...attributionOf(customer),
      customer_key: customer.customer_key,
      page_url: `${SHOP}/sign-up`,
      session_id: `visit-${clickIds.get(lastOf(customer))}`,
      lead_timestamp: iso(at),
      created_at: iso(at),
      final_xact,
    })),
  )
  return { customers, clicks, attributionOf }
}

export type Recorded = Awaited<ReturnType<typeof writeVisitors>>

async function customersOf(sql: Sql, visitors: Visitor[]): Promise<Customer[]> {
  const ids = await reserveIds(sql, "tracking.customers", visitors.length)
  return visitors.map((visitor, i) => {
    const customer_key = visitor.signed_up_at ? `customer-${ids[i]}` : null
    return { ...visitor, id: ids[i]!, customer_key }
  })
}

async function clicksOf(sql: Sql, customers: Customer[]): Promise<Click[]> {
  const clicks = customers
    .flatMap(customer => customer.visits.map(visit => ({ visit, customer })))
    .sort((one, other) => one.visit.at - other.visit.at)
  const ids = await reserveIds(sql, "tracking.affiliate_click_events", clicks.length)
  return clicks.map((click, i) => ({ id: ids[i]!, ...click }))
}

const lastOf = ({ visits }: Visitor) => visits.at(-1)!
const clickIdOf = (customer_id: number) => `clk_${String(customer_id).padStart(26, "0")}`

const originOf = ({ place, agent }: Visitor, { referrer_url, sub_id }: Visit) => ({
  geo_country: place[0],
  device_type: agent[0],
  browser_name: agent[2],
  referrer_host: referrer_url && new URL(referrer_url).hostname,
  sub_id,
})

function pageOf({ product, code, sub_id, referrer_url }: Visit) {
  const page_url = `${SHOP}/${product.id}`
  const affiliate_url = `${page_url}?aff=${code}${sub_id ? `&sub_id=${sub_id}` : ""}`
  return { affiliate_url, page_url, page_title: product.title, referrer_url }
}

function stateOf({ customer_key, signed_up_at, purchases: [first, ...later] }: Customer) {
  const isAttributed = (purchase: Purchase | undefined) => purchase?.is_attributed ?? false
  return {
    customer_key,
    customer_status: first ? "conversion" : signed_up_at ? "lead" : "click",
    signup_date: signed_up_at && iso(signed_up_at),
    first_purchase_date: first ? iso(first.at) : null,
    window_days: WINDOW_DAYS,
    is_settled: [first, ...later].some(isAttributed),
  }
}
