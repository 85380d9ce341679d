import { succeedingClient } from "../support/http"
import { RECEIVER, TRACKER } from "../support/receiver"
import type { Pool } from "./values"

type Credential = Record<string, string>
export type Scene = { pool: Pool; credentials: Record<string, Credential[]> }

const PROGRAMS = "/api/advertiser/affiliate-programs"
let count = 0

/** Creates two tenants with one resource of each kind. Requests use their ids and credentials. */
export async function newScene(url: string): Promise<Scene> {
  const [own, other] = [await newTenant(url), await newTenant(url)]
  const of = (name: keyof typeof own.ids) => [own.ids[name], own.ids[name], other.ids[name]]
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    pool: {
      id: [
        ...of("program"),
        own.ids.notification,
        own.ids.key,
        own.ids.workspace,
        own.ids.endpoint,
      ].filter(Boolean),
      programId: of("program"),
      program_id: of("program"),
      groupId: of("group"),
      group_id: of("group"),
      partnerId: of("partner"),
      partner_id: of("partner"),
      as_partner: of("partner"),
      linkId: of("link"),
      saleId: of("sale"),
      sale_id: of("sale"),
      commissionId: of("commission"),
      commission_id: of("commission"),
      click_event_id: [1, 2, 3],
      clickEventId: [1, 2, 3],
      leadEventId: [1, 2, 3],
      userId: of("user"),
      deliveryId: [...of("delivery"), own.ids.postback_delivery],
      postbackId: [...of("postback"), own.ids.partner_postback, own.ids.own_postback],
      customerKey: of("customer_key"),
      customer_key: of("customer_key"),
      click_id: of("click_id"),
      existing_click_id: of("click_id"),
      transaction_id: [...of("transaction_id"), `new-${count}`],
      affiliate_url: [`https://shop.example/?aff=${own.ids.code}`],
      program_ids: [[own.ids.program], [other.ids.program], null],
      events: [["*"], ["sale.recorded", "lead.created"]],
      url: [RECEIVER, TRACKER, "http://127.0.0.1/", "https://shop.example/?aff=ada"],
      program_scope: [[own.ids.program], [other.ids.program], null],
      currency: ["USD", "eur", "XTS", "JPY"],
      email: [own.ids.email, other.ids.email],
      password: ["correct horse battery"],
    },
    credentials: {
      session: [bearer(own.session)],
      sessionCookie: [{ cookie: `session=${own.session}`, "sec-fetch-site": "same-origin" }],
      managementKey: [bearer(own.key)],
      trackingToken: [bearer(own.api_token)],
      otherTenant: [bearer(other.session), bearer(other.key), bearer(other.api_token)],
    },
  }
}

async function newTenant(url: string) {
  const name = `fuzz-${Date.now().toString(36)}-${++count}`
  const email = `${name}@example.com`

  const send = succeedingClient(url)
  const post = (path: string, token: string | null, body: object) =>
    send("POST", path, { body, token: token ?? undefined })

  const account = { email, password: "correct horse battery", name }
  const { token: session, workspace, user } = await post("/api/auth/sign-up", null, account)
  const fields = { name, website_url: "https://shop.example", commission: POLICY }
  const program = await post(PROGRAMS, session, fields)
  const path = `${PROGRAMS}/${program.id}`
  const person = { email: `partner-${email}`, name }
  const partner = await post(`${path}/partners`, session, person)
  const { token } = await post(`${path}/partners/${partner.partner_id}/invite`, session, {})
  await post("/api/auth/accept-invitation", null, { ...account, token }) // the owner is a partner, too
  const group = await post(`${path}/groups`, session, { name, policy: POLICY })
  const key = await post("/api/advertiser/api-keys", session, { name })
  const endpoint = await post("/api/advertiser/webhook-endpoints", session, {
    url: RECEIVER,
    events: ["*"],
  })
  const tested = `/api/advertiser/webhook-endpoints/${endpoint.id}/test`
  const { delivery_id } = await post(tested, session, {})
  const postback = { url: TRACKER, events: ["sale"] }
  const ofProgram = await post(`${path}/postbacks`, session, postback)
  const ofPartner = await post(
    `${path}/partners/${partner.partner_id}/postbacks`,
    session,
    postback,
  )
  const own = await post("/api/partner/postbacks", session, postback)
  const sampled = await post(`/api/partner/postbacks/${own.id}/test`, session, {})
  const { code, id: link } = partner.links[0]
  const affiliate_url = `https://shop.example/?aff=${code}`
  const { click_id } = await post("/api/v1/track/click", null, { affiliate_url })
  const sale = { transaction_id: name, amount_cents: 5_000, customer_key: name, click_id }
  await post("/api/v1/track/lead", program.api_token, { customer_key: name, click_id })
  const { sale_id, commission_id } = await post("/api/v1/track/sale", program.api_token, sale)

  const { api_token } = program
  const ids = {
    workspace: workspace.id,
    user: user.id,
    program: program.id,
    partner: partner.partner_id,
    group: group.id,
    key: key.id,
    endpoint: endpoint.id,
    delivery: delivery_id,
    postback: ofProgram.id,
    partner_postback: ofPartner.id,
    own_postback: own.id,
    postback_delivery: sampled.delivery_id,
    link,
    code,
    click_id,
    customer_key: name,
    transaction_id: name,
    sale: sale_id,
    commission: commission_id,
    notification: 1,
    email,
  }
  return { session, api_token, key: key.key as string, ids }
}

const POLICY = { kind: "percent", rate_bps: 3_000 }
