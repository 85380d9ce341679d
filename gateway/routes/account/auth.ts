import type { Static, TSchema } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { ReplyOf } from "../../../lib/bus/operation"
import { config } from "../../../lib/config"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import {
  Acceptance,
  acceptInvitation,
  findInvitee,
  SignedIn,
  SignIn,
  SignUp,
  showSession,
  signIn,
  signOut,
  signUp,
} from "../../../services/identity/contract"
import { anyone, session } from "../../http/access"
import { deviceCookie, noSessionCookie, sessionCookie } from "../../http/cookies"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { limitAddress } from "../../http/limit"
import { limitSignIn } from "../../http/limit-sign-in"
import { refuseOtherSites } from "../../http/origin"
import { type Declaration, EmptyReply, type Input, One, route } from "../../http/route"

const PASSWORD_TIMEOUT_MS = ANSWER_MS_MAX // hashing is slow on purpose; many may sign in at once

const OTHER_SITE = "Requests from other sites cannot sign you in."
const INVITATION_ONLY = "Sign-up is by invitation only."

/** Refuses pages of other sites, which must not sign a browser in, before the body is parsed. */
const ownSite = {
  ...anyone,
  async authorize(request: Request) {
    refuseOtherSites(request)
    return {}
  },
}

const openSignUp = {
  ...anyone,
  async authorize(request: Request) {
    refuseOtherSites(request)
    if (config.sign_up === "closed") throw new Fault("forbidden", INVITATION_ONLY)
    return {}
  },
}

/** The ways to begin a session, for the API's routes and for the forms of the public pages. */
export const entrances = {
  signUp: {
    access: openSignUp,
    limit: (request: Request) => limitAddress("sign_ups", request),
    body: SignUp,
    enter: async ({ set, body }: Entering<typeof SignUp>) =>
      signedIn(set, await call(signUp, body, PASSWORD_TIMEOUT_MS)),
  },
  signIn: {
    access: ownSite,
    limit: (request: Request) => limitAddress("sign_ins", request),
    body: SignIn,
    async enter({ request, set, body }: Entering<typeof SignIn>) {
      const attempt = () => call(signIn, body, PASSWORD_TIMEOUT_MS)
      return signedIn(set, await limitSignIn(request, body.email, attempt))
    },
  },
  acceptInvitation: {
    access: ownSite,
    limit: (request: Request) => limitAddress("sign_ins", request),
    body: Acceptance,
    async enter({ request, set, body }: Entering<typeof Acceptance>) {
      const { token, email } = body
      const invitee = await call(findInvitee, { token, email })
      const attempt = () => call(acceptInvitation, body, PASSWORD_TIMEOUT_MS)
      return signedIn(set, await limitSignIn(request, invitee.email, attempt))
    },
  },
}

type Entering<Schema extends TSchema> = Pick<Input<Declaration>, "request" | "set"> & {
  body: Static<Schema>
}

const { signUp: up, signIn: into, acceptInvitation: accepting } = entrances

/** Signing up, in and out (behaviour 2.6), and accepting invitations (behaviour 2.7). */
export const auth = [
  route(
    {
      id: "signUp",
      method: "POST",
      path: "/api/auth/sign-up",
      summary: "Create an account and a workspace, and sign in",
      access: up.access,
      limit: up.limit,
      body: up.body,
      answers: {
        201: One(SignedIn),
        403: INVITATION_ONLY,
        409: "The e-mail address is taken.",
      },
    },
    up.enter,
  ),
  route(
    {
      id: "signIn",
      method: "POST",
      path: "/api/auth/sign-in",
      summary: "Sign in",
      access: into.access,
      limit: into.limit,
      body: into.body,
      answers: {
        200: One(SignedIn),
        401: "The e-mail address or the password is wrong.",
        403: OTHER_SITE,
      },
    },
    into.enter,
  ),
  route(
    {
      id: "acceptInvitation",
      method: "POST",
      path: "/api/auth/accept-invitation",
      summary: "Accept an invitation to a workspace, or as a partner, and sign in",
      access: accepting.access,
      limit: accepting.limit,
      body: accepting.body,
      answers: {
        200: One(SignedIn),
        401: "The password is wrong.",
        403: OTHER_SITE,
        409: "The account is already a member, was created at the same moment, or the program is archived.",
      },
    },
    accepting.enter,
  ),
  route(
    {
      id: "signOut",
      method: "POST",
      path: "/api/auth/sign-out",
      summary: "End the session",
      access: session,
      answers: { 200: EmptyReply },
    },
    async ({ caller: { session_id }, set }) => {
      await call(signOut, { session_id })
      set.headers["set-cookie"] = noSessionCookie()
      return { data: {} }
    },
  ),
  route(
    {
      id: "showSession",
      method: "GET",
      path: "/api/auth/session",
      summary: "Show who is signed in, and their workspaces",
      access: session,
      answers: { 200: One(showSession.reply) },
    },
    async ({ caller: { user_id } }) => ({ data: await call(showSession, { user_id }) }),
  ),
]

/** A browser keeps its session in a cookie, and is a known device; other clients take the token. */
function signedIn(
  set: Input<Declaration>["set"],
  { device_token, ...data }: ReplyOf<typeof signIn>,
) {
  const cookies = [sessionCookie(data.token)]
  if (device_token) cookies.push(deviceCookie(foldedEmail(data.user.email), device_token))
  set.headers["set-cookie"] = cookies
  return { data }
}
