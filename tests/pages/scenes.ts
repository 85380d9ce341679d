import { refund, sell, settle } from "../support/books"
import { addClicks, newCustomers } from "../support/history"
import { newKey } from "../support/key"
import { newMember } from "../support/member"
import { newEmail, newPartnerAccount } from "../support/partner-account"
import { newPostback, OWN_POSTBACKS, partnerPostbacks, programPostbacks } from "../support/postback"
import { newClick, newPartner, newProgram } from "../support/program"
import { newEndpoint, newTestDelivery } from "../support/webhook-endpoint"
import { send } from "../support/world"

const DAY_MS = 24 * 60 * 60 * 1_000
const HISTORY_DAYS = 20
const HISTORY_CLICKS = 120

/** Names that people may choose, and that no page may run, obey or break by. */
export const HOSTILE_NAMES = [
  "<script>alert(1)</script>",
  "\u202egnilb \u{1f980}\u{1f469}\u{1f3fd}\u200d\u{1f680}",
  "Donaudampfschifffahrtsgesellschaft".repeat(6),
]

const JSON_POSTBACK = {
  method: "POST",
  body: { type: "json", template: '{"cid": "{partner_click_id}", "payout": {payout}}' },
}

/** A program in which every screen has something to show. */
export type Scene = Awaited<ReturnType<typeof newFullScene>>

let full: Promise<Scene> | undefined
/** The scene that the tests of a run share. Tests that change something make their own program. */
export const fullScene = (): Promise<Scene> => {
  full ??= newFullScene()
  return full
}

/** A program and a workspace as they are after sign-up, with one partner who has an account. */
export async function newEmptyScene() {
  const program = await newProgram({ name: "New shop" })
  return { ...program, partner_session: await newPartnerAccount(program) }
}

async function newFullScene() {
  const program = await newProgram({ name: "Acme shop", currency: "USD" })
  const { path, session: token, workspace_id } = program
  const create = async (path: string, body: object) => {
    const reply = await send("POST", path, { token, body })
    if (reply.status !== 201) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }

  await newPast(program)
  const group = await create(`${path}/groups`, {
    name: "Reviewers & friends",
    policy: { kind: "percent", rate_bps: 2_000 },
  })
  for (const name of HOSTILE_NAMES) await newPartner(program, { name, group_id: group.id })
  const partner_session = await newPartnerAccount(program)
  await newKey(program, { name: "Nightly export" })
  const webhook = await newEndpoint(program, { description: HOSTILE_NAMES[2]?.slice(0, 255) })
  await newTestDelivery(program, webhook.id)
  const postback_id = await newPostback(programPostbacks(program), token, JSON_POSTBACK)
  const partner_postback_id = await newPostback(partnerPostbacks(program), token)
  const own_postback_id = await newPostback(OWN_POSTBACKS, partner_session)
  await newMember(program, "analyst")
  await create(`/api/workspaces/${workspace_id}/invitations`, {
    email: newEmail(),
    role: "billing",
  })
  await send("PUT", `${path}/terms`, { token, body: { text: "No bidding on our brand." } })

  return {
    ...program,
    partner_session,
    group_id: group.id as number,
    webhook_id: webhook.id,
    postback_id,
    partner_postback_id,
    own_postback_id,
    ...(await newSales(program)),
  }
}

/** Clicks of some days, so that charts have lines and lists have pages. */
async function newPast(program: Program) {
  const customers = await newCustomers(program, HISTORY_CLICKS)
  const clicks = customers.map((customer_id, i) => ({
    customer_id,
    at: new Date(Date.now() - (1 + (i % HISTORY_DAYS)) * DAY_MS).toISOString(),
    page_url: "/",
  }))
  await addClicks(program, clicks)
}

type Program = Awaited<ReturnType<typeof newProgram>>

/** Clicks, leads, and sales whose commissions are pending, approved, paid, rejected and refunded. */
async function newSales(program: Program) {
  for (let i = 0; i < 5; i++) {
    await newClick(program, { sub_id: `newsletter-${i}`, page_url: "https://shop.example/shoes" })
  }
  const customer_key = `customer-${program.program_id}`
  const click_id = await newClick(program)
  await send("POST", "/api/v1/track/lead", { body: { click_id, customer_key } })
  const decided = await sell(program, program.code, { click_id, customer_key })
  const [approved, paid, rejected, refunded] = [
    await sell(program, program.code, { currency: "JPY", amount_cents: 5_400 }),
    await sell(program, program.code),
    await sell(program, program.code),
    await sell(program, program.code),
  ]
  await settle(program, approved.commission_id, "approve")
  await settle(program, paid.commission_id, "approve")
  await settle(program, paid.commission_id, "mark-paid")
  await settle(program, rejected.commission_id, "reject", { reason: "Own purchase." })
  await refund(program, {
    transaction_id: refunded.transaction_id,
    refund_id: "a",
    refund_amount_cents: 1_000,
  })
  return { ...decided, customer_key, click_id }
}
