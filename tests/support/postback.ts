import type { TestProgram } from "./program"
import { TRACKER } from "./receiver"
import { send } from "./world"

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
