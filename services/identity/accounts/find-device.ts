import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import { deviceIdIn } from "./device-tokens"
import { findUserByEmail } from "./users"

type Request = RequestOf<typeof contract.findDevice>

export async function findDevice({ email, device_token }: Request) {
  const user = await findUserByEmail(email)
  return { device_id: user ? deviceIdIn(device_token, user) : null }
}
