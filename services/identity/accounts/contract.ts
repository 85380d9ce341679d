import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Id, Nullable, Time, Title } from "../../../lib/fields"
import { Workspace } from "../workspaces/contract"

/** The password of an existing account, as it is entered. */
export const KnownPassword = Type.RegExp(/^[\s\S]{0,256}$/u, {
  description: "a string of at most 256 characters",
})

/** The body of POST /api/auth/sign-up. */
export const SignUp = Type.Object({
  email: Email,
  password: Type.RegExp(/^[\s\S]{10,256}$/u, {
    description: "a string of 10 to 256 characters",
  }),
  name: Title,
  workspace_name: Type.Optional(Title), // absent: derived from `name`
})

/** The body of POST /api/auth/sign-in. */
export const SignIn = Type.Object({
  email: Type.RegExp(/^[\s\S]{0,320}$/u, { description: "an e-mail address" }),
  password: KnownPassword,
})

const User = Type.Object({ id: Id, email: Type.String(), name: Type.String() })

/** A new session. Its token is shown only once. */
export const SignedIn = Type.Object({
  user: User,
  workspace: Nullable(Workspace), // of the oldest active membership; null: there is none
  token: Type.String(),
  expires_at: Time, // each use extends it
})

/** What a device keeps to prove that someone signed in to an account on it. */
export const DeviceToken = Type.String({ maxLength: 255 })

/** A new session, with what makes the device a known one. Absent: an older version replies. */
export const SignedInOnDevice = Type.Composite([
  SignedIn,
  Type.Object({ device_token: Type.Optional(DeviceToken) }),
])

/**
 * Creates a user and a workspace that the user owns.
 * Faults: invalid (a password that is easy to guess), conflict (the address is taken).
 */
export const signUp = operation("identity.user.sign_up", {
  request: SignUp,
  reply: SignedInOnDevice,
})

/**
 * Starts a session. Faults: unauthorized (a wrong address and a wrong password get the same reply
 * after the same work).
 */
export const signIn = operation("identity.user.sign_in", {
  request: SignIn,
  reply: SignedInOnDevice,
})

/** The signed-in user and their memberships. `partner` null: the user has no partner account. */
export const showSession = operation("identity.session.show", {
  request: Type.Object({ user_id: Id }),
  reply: Type.Object({
    user: User,
    memberships: Type.Array(
      Type.Object({ workspace: Workspace, role: Type.String(), status: Type.String() }),
    ),
    partner: Nullable(Type.Object({ id: Id })),
  }),
})

/**
 * Returns the id of a device on which someone has signed in to the account with this address, as
 * its token proves. Null: it is not known, or the password has changed since. Faults: none.
 */
export const findDevice = operation("identity.device.find", {
  request: Type.Object({ email: Type.String(), device_token: DeviceToken }),
  reply: Type.Object({ device_id: Nullable(Type.String()) }),
})
