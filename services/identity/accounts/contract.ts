import { Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Email, Id, Nullable, Time, Title } from "../../../lib/fields"
import { Workspace } from "../workspaces/contract"

/** As somebody shows it who has one. */
export const KnownPassword = Type.RegExp(/^[\s\S]{0,256}$/u, {
  description: "a text of at most 256 characters",
})

/** The body of POST /api/auth/sign-up. */
export const SignUp = Type.Object({
  email: Email,
  password: Type.RegExp(/^[\s\S]{10,256}$/u, {
    description: "a text of 10 to 256 characters",
  }),
  name: Title,
  workspace_name: Type.Optional(Title), // made from `name`
})

/** The body of POST /api/auth/sign-in. */
export const SignIn = Type.Object({
  email: Type.RegExp(/^[\s\S]{0,320}$/u, { description: "an e-mail address" }),
  password: KnownPassword,
})

const User = Type.Object({ id: Id, email: Type.String(), name: Type.String() })

/** A session that has begun. Its token is told here and never again. */
export const SignedIn = Type.Object({
  user: User,
  workspace: Nullable(Workspace), // the oldest active membership's; null: there is none
  token: Type.String(),
  expires_at: Time, // unless it is used before
})

/** Makes a user and a workspace that the user owns. Faults: conflict (the address is taken). */
export const signUp = operation("identity.user.sign_up", { request: SignUp, reply: SignedIn })

/** Faults: unauthorized, the same and after the same work for a wrong address or password. */
export const signIn = operation("identity.user.sign_in", { request: SignIn, reply: SignedIn })

/** Who is signed in, and where a member. `partner` null: no partner account is bound. */
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
