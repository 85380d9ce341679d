import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { PostbackDelivery } from "../contract"
import { sql } from "../db"
import { deliveriesOf } from "../deliveries/list-deliveries"
import { findPostback } from "../postbacks/postbacks"
import { ofPostback } from "./find-deliveries"

type Request = RequestOf<typeof contract.listPostbackDeliveries>

export async function listPostbackDeliveries({ owner, postback_id, ...query }: Request) {
  const key = { owner, postback_id }
  await findPostback(sql, key)
  return deliveriesOf<PostbackDelivery["type"]>(ofPostback(key), query)
}
