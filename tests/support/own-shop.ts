import type { System } from "./own-system"

const PROGRAMS = "/api/advertiser/affiliate-programs"

let count = 0
const unique = (what: string) => `${what}-${process.pid}-${++count}`

/** A program of a new workspace on a test file's own system, with one partner, and what it can do. */
export async function openShop(system: System, name = "shop") {
  const account = { email: `${unique("owner")}@example.com`, password: "correct horse battery" }
  const signedUp = await system.send("/api/auth/sign-up", { ...account, name: "Owner" })
  const session = signedUp.data.token as string
  const created = await system.send(PROGRAMS, { name: unique(name) }, session)
  const { id: program_id, api_token } = created.data as { id: number; api_token: string }
  const path = `${PROGRAMS}/${program_id}`
  const added = await system.send(
    `${path}/partners`,
    { email: "partner@example.com", name: "Partner" },
    session,
  )
  const { partner_id, links } = added.data
  const track = (what: string, body: object) =>
    system.request("POST", `/api/v1/track/${what}`, { token: api_token, body })
  const manage = (method: string, subpath = "", body?: object) =>
    system.request(method, `${path}${subpath}`, { token: session, body })

  /** Sells to a new customer. Returns the reply with what was sent. */
  async function sell(amount_cents: number, fields: object = {}) {
    const affiliate_url = `https://shop.example/?aff=${links[0].code}`
    const { click_id } = (await track("click", { affiliate_url })).body
    const body = { transaction_id: unique("sale"), amount_cents, click_id, ...fields }
    const { status, body: reply } = await track("sale", body)
    const { sale_id, commission_id } = reply as { sale_id: number; commission_id: number }
    return { ...body, click_id, status, reply, sale_id, commission_id }
  }

  const refund = (transaction_id: string) => track("refund", { transaction_id })
  const balance = async () =>
    (await manage("GET", "/partners")).body.data[0].balance_cents as number
  return { program_id, partner_id, session, track, manage, sell, refund, balance }
}
export type Shop = Awaited<ReturnType<typeof openShop>>
