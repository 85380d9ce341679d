import { type Context, Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import { parse } from "../../../lib/bus/operation"
import { config } from "../../../lib/config"
import { Fault } from "../../../lib/fault"
import { foldedEmail } from "../../../lib/fields"
import {
  Acceptance,
  acceptInvitation,
  findInvitee,
  SignIn,
  SignUp,
  showSession,
  signIn,
  signOut,
  signUp,
} from "../../../services/identity/contract"
import { type Body, fieldsIfAny, fieldsOf, readBody } from "../../http/body"
import { sessionOf } from "../../http/caller"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { limitAddress, limitFailures } from "../../http/limit"
import { refuseOtherSites } from "../../http/origin"
import { noSessionCookie, sessionCookie } from "../../http/session-cookie"
import { ANYBODY, Nothing, One, reads, SIGNED_IN, writes } from "../../openapi/description"

const PASSWORD_TIMEOUT_MS = ANSWER_MS_MAX // hashing is slow on purpose; many may sign in at once

const OTHER_SITE = "Another site may not sign you in."

/** How people come by a dashboard session, and end it (contract 2). */
export const auth = new Elysia({ prefix: "/api/auth" })
  .post(
    "/sign-up",
    async context => {
      const body = await bodyOf(context, "sign_ups")
      if (config.sign_up === "closed") {
        throw new Fault("forbidden", "Accounts are made by invitation only here.")
      }
      const data = await call(signUp, parse(SignUp, fieldsOf(body)), PASSWORD_TIMEOUT_MS)
      context.set.status = 201
      return signedIn(context, data)
    },
    writes({
      id: "signUp",
      summary: "Make an account and a workspace, and sign in",
      by: ANYBODY,
      body: SignUp,
      answers: {
        201: One(signUp.reply),
        403: "Accounts are made by invitation only here.",
        409: "The address is taken.",
      },
    }),
  )
  .post(
    "/sign-in",
    async context => {
      const body = await bodyOf(context, "sign_ins")
      const asked = parse(SignIn, fieldsOf(body))
      const data = await limitFailures("sign_in_failures", accountOf(asked), () =>
        call(signIn, asked, PASSWORD_TIMEOUT_MS),
      )
      return signedIn(context, data)
    },
    writes({
      id: "signIn",
      summary: "Sign in",
      by: ANYBODY,
      body: SignIn,
      answers: {
        200: One(signIn.reply),
        401: "The address or the password is wrong.",
        403: OTHER_SITE,
      },
    }),
  )
  .post(
    "/accept-invitation",
    async context => {
      const body = await bodyOf(context, "sign_ins")
      const asked = parse(Acceptance, fieldsOf(body))
      const { token, email } = asked
      const invitee = await call(findInvitee, { token, email })
      const data = await limitFailures("sign_in_failures", accountOf(invitee), () =>
        call(acceptInvitation, asked, PASSWORD_TIMEOUT_MS),
      )
      return signedIn(context, data)
    },
    writes({
      id: "acceptInvitation",
      summary: "Accept an invitation to a workspace, or as a partner, and sign in",
      by: ANYBODY,
      body: Acceptance,
      answers: {
        200: One(acceptInvitation.reply),
        401: "The password is wrong.",
        403: OTHER_SITE,
        409: "The account is a member already, or was made meanwhile.",
      },
    }),
  )
  .post(
    "/sign-out",
    async ({ request, set }) => {
      const body = await readBody(request)
      const { session_id } = await sessionOf(request)
      fieldsIfAny(body)
      await call(signOut, { session_id })
      set.headers["set-cookie"] = noSessionCookie()
      return { data: {} }
    },
    writes({
      id: "signOut",
      summary: "End the session",
      by: SIGNED_IN,
      answers: { 200: Nothing },
    }),
  )
  .get(
    "/session",
    async ({ request }) => {
      const { user_id } = await sessionOf(request)
      return { data: await call(showSession, { user_id }) }
    },
    reads({
      id: "showSession",
      summary: "Show who is signed in, and where a member",
      by: SIGNED_IN,
      answers: { 200: One(showSession.reply) },
    }),
  )

/** What comes before anything is looked at: 429, 413 and 415, then 403. */
async function bodyOf(context: Context, limited: "sign_ups" | "sign_ins"): Promise<Body> {
  await limitAddress(limited, context.request)
  const body = await readBody(context.request)
  refuseOtherSites(context.request)
  return body
}

/** A browser keeps its session in a cookie; anybody else takes the token. */
function signedIn<Data extends { token: string }>({ set }: Context, data: Data) {
  set.headers["set-cookie"] = sessionCookie(data.token)
  return { data }
}

/** The same for every way of writing one address, and whether or not anybody has it. */
const accountOf = ({ email }: { email: string }) => foldedEmail(email)
