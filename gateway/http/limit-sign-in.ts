import { call } from "../../lib/bus/bus"
import { foldedEmail } from "../../lib/fields"
import { findDevice } from "../../services/identity/contract"
import { addressOf, truncated } from "./address"
import { deviceTokenIn } from "./cookies"
import { limitFailures } from "./limit"

/**
 * Runs an attempt to sign in to the account with this address, if there are not too many failures
 * of it: of this device if the account knows it, else from this network and from all together. So
 * failures lock the network that they come from, but never the devices of the account's owner
 * (behaviour 1.12.2). All spellings of an address are one account, whether or not it exists.
 */
export async function limitSignIn<Result>(
  request: Request,
  email: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const account = foldedEmail(email)
  const device_id = await knownDeviceOf(request, account)
  if (device_id) return limitFailures("sign_in_failures", `${account} on ${device_id}`, attempt)

  const address = addressOf(request)
  const network = address ? truncated(address) : "unknown"
  return limitFailures("sign_in_failures", `${account} from ${network}`, () =>
    limitFailures("account_failures", account, attempt),
  )
}

async function knownDeviceOf({ headers }: Request, account: string): Promise<string | null> {
  const device_token = deviceTokenIn(headers, account)
  if (!device_token || device_token.length > 255) return null
  // An unknown device only has the stricter limits.
  const found = await call(findDevice, { email: account, device_token }).catch(() => null)
  return found?.device_id ?? null
}
