import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Nullable } from "../../../lib/fields"

/** What a device keeps to prove that someone signed in to an account on it. */
export const DeviceToken = Type.String({ maxLength: 255 })

/**
 * Returns the id of a device on which someone has signed in to the account with this address, as
 * its token proves. Null: it is not known, or the password has changed since. Faults: none.
 */
export const findDevice = operation("identity.device.find", {
  request: Type.Object({ email: Type.String(), device_token: DeviceToken }),
  reply: Type.Object({ device_id: Nullable(Type.String()) }),
})
