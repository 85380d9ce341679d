import type { TestProgram } from "./program"
import { TRACKER } from "./receiver"
import { send, sql } from "./world"

export const OWN_POSTBACKS = "/api/partner/postbacks"

export const programPostbacks = ({ path }: Pick<TestProgram, "path">) => `${path}/postbacks`
export const partnerPostbacks = ({ path, partner_id }: Pick<TestProgram, "path" | "partner_id">) =>
  `${path}/partners/${partner_id}/postbacks`

/** Creates a postback at one of these paths. Returns its id. */
export async function newPostback(path: string, token: string, fields: object = {}) {
  const body = { url: TRACKER, events: ["sale"], ...fields }
  const created = await send("POST", path, { token, body })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body.data.id as number
}

/** Stores a test that was sent by a postback. Returns the id of the delivery. */
export async function newPostbackDelivery(postback_id: number): Promise<number> {
  const content = {
    event_key: crypto.randomUUID(),
    event: "sale",
    at: new Date().toISOString(),
    program_id: null,
    partner_id: null,
    share_sale_amount: false,
  }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into delivery.deliveries (receiver_id, own_event, type, status)
    select id, ${sql.json(content)}, 'sale', 'delivered'
    from delivery.receivers
    where postback_id = ${postback_id}
    returning id
  `
  return id
}
