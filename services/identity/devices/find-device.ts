import type { RequestOf } from "../../../lib/bus/operation"
import { findUserByEmail } from "../accounts/users"
import type * as contract from "../contract"
import { deviceIdIn } from "./device-tokens"

type Request = RequestOf<typeof contract.findDevice>

export async function findDevice({ email, device_token }: Request) {
  const user = await findUserByEmail(email)
  return { device_id: user ? deviceIdIn(device_token, user) : null }
}
