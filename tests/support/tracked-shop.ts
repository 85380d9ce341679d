import { openShop } from "./own-shop"
import { launchOwnSystem } from "./own-system"
import { sendsTo, startTracker } from "./tracker"
import { eventually } from "./webhook-receiver"

export const OWN = "/api/partner/postbacks"
const ALL_EVENTS = ["lead", "sale", "approved", "rejected", "refunded", "paid"]

let count = 0
const unique = (what: string) => `${what}-${++count}`

/**
 * Starts a Tributary of a test file's own that may send to a tracker of it and retries at once, with a
 * program, a partner and the partner's account.
 */
export async function openTrackedShop(
  answer?: Parameters<typeof startTracker>[0],
  environment: Record<string, string> = {},
) {
  const tracker = startTracker(answer)
  const settings = { ...sendsTo(tracker.port), DELIVERY_RETRIES: "0s,1s,1s", ...environment }
  const system = await launchOwnSystem(settings)
  const shop = await openShop(system)
  const { program_id, partner_id, session } = shop
  const program = `/api/advertiser/affiliate-programs/${program_id}`
  const partner = await shop.manage("GET", `/partners/${partner_id}`)
  const code = partner.body.data.links[0].code as string

  /** Binds a new account to a partner. Returns its session. */
  async function bind(partner_id: number) {
    const invited = await shop.manage("POST", `/partners/${partner_id}/invite`, {})
    const { token } = invited.body.data
    const person = { token, password: "correct horse battery" }
    const email = `${unique("person")}@people.example`
    return (await system.send("/api/auth/accept-invitation", { ...person, email })).data
      .token as string
  }

  async function newPartner() {
    const person = { email: `${unique("partner")}@example.com`, name: "Partner" }
    const { partner_id, links } = (await shop.manage("POST", "/partners", person)).body.data
    return { partner_id: partner_id as number, code: links[0].code as string }
  }

  /** Calls the API. Throws unless it succeeds. */
  async function call(token: string, method: string, path: string, body?: object): Promise<any> {
    const reply = await system.request(method, path, { token, body })
    if (reply.status < 300) return reply.body.data
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }

  /** Creates a postback to a path of the tracker, which may go on as a template. */
  async function newPostback(route: string, token: string, path: string, fields: object = {}) {
    const body = { url: tracker.url + path, events: ALL_EVENTS, ...fields }
    const { id } = await call(token, "POST", route, body)
    const at = `${route}/${id}`
    const list = (query: string) =>
      system.request("GET", `${at}/deliveries?pageSize=100${query}`, { token })
    const deliveries = async (query = ""): Promise<any[]> => (await list(query)).body.data
    return {
      id: id as number,
      path: at,
      call: (method: string, rest = "", body?: object) => call(token, method, at + rest, body),
      refusal: async (method: string, rest: string, body?: object) =>
        (await system.request(method, at + rest, { token, body })).status,
      deliveries,
      /** Its deliveries, once all are final and as many as expected. */
      settled: (expected: number) =>
        eventually(async () => {
          const { status, body } = await list("")
          if (status === 503) return null // of a machine that is busy
          const all = body.data as any[]
          const isFinal = all.every(({ status }) => status !== "pending")
          return isFinal && all.length === expected ? all : null
        }, 60_000),
      remove: () => call(token, "DELETE", at),
    }
  }

  type Visit = {
    query?: string
    code?: string
    customer_key?: string
    email?: string
    headers?: Record<string, string> // of the click
  }

  /** Clicks with a query, becomes a lead and buys for 49.99 USD, of which 15.00 are the partner's. */
  async function buy({
    query = "",
    customer_key = unique("key"),
    email,
    headers,
    ...visit
  }: Visit = {}) {
    const body = { affiliate_url: `https://shop.example/?aff=${visit.code ?? code}${query}` }
    const { click_id } = (await system.request("POST", "/api/v1/track/click", { body, headers }))
      .body
    await shop.track("lead", { click_id, customer_key, email })
    const transaction_id = unique("order")
    const sold = await shop.track("sale", { transaction_id, amount_cents: 4_999, customer_key })
    const { sale_id, commission_id } = sold.body as { sale_id: number; commission_id: number }
    const settle = (step: string, body: object = {}) =>
      shop.manage("POST", `/commissions/${commission_id}/${step}`, body)
    return { click_id, customer_key, transaction_id, sale_id, commission_id, settle }
  }

  return {
    ...{ tracker, system, shop, session, program_id, partner_id, code, call, bind, newPartner },
    ...{ newPostback, buy, account: await bind(partner_id) },
    ofProgram: `${program}/postbacks`,
    ofPartner: (id = partner_id) => `${program}/partners/${id}/postbacks`,
    put: (fields: object) => call(session, "PUT", program, fields),
  }
}

export type TrackedShop = Awaited<ReturnType<typeof openTrackedShop>>
