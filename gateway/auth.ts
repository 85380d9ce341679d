import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { config } from "../lib/config"
import { parse } from "../lib/contract"
import { Fault } from "../lib/fault"
import {
  Acceptance,
  acceptInvitation,
  SignIn,
  SignUp,
  showSession,
  signIn,
  signOut,
  signUp,
} from "../services/identity/contract"
import { fieldsIfAny, fieldsOf, readBody, UNREAD } from "./body"
import { sessionOf } from "./caller"
import { limitAddress, limitFailures } from "./limit"
import { refuseOtherSites } from "./origin"
import { noSessionCookie, sessionCookie } from "./session-cookie"

const PASSWORD_TIMEOUT_MS = 5_000 // hashing is slow on purpose, and many may sign in at once

/** How people come by a dashboard session, and end it (contract 2). */
export const auth = new Elysia({ prefix: "/api/auth" })
  .post(
    "/sign-up",
    async context => {
      const { request, set } = context
      await limitAddress("sign_ups", context)
      const body = await readBody(request)
      refuseOtherSites(request)
      if (config.sign_up === "closed") {
        throw new Fault("forbidden", "Accounts are made by invitation only here.")
      }
      const data = await call(signUp, parse(SignUp, fieldsOf(body)), PASSWORD_TIMEOUT_MS)
      set.status = 201
      set.headers["set-cookie"] = sessionCookie(data.token)
      return { data }
    },
    UNREAD,
  )
  .post(
    "/sign-in",
    async context => {
      const { request, set } = context
      await limitAddress("sign_ins", context)
      const body = await readBody(request)
      refuseOtherSites(request)
      const asked = parse(SignIn, fieldsOf(body))
      const data = await limitFailures("sign_in_failures", accountOf(asked), () =>
        call(signIn, asked, PASSWORD_TIMEOUT_MS),
      )
      set.headers["set-cookie"] = sessionCookie(data.token)
      return { data }
    },
    UNREAD,
  )
  .post(
    "/accept-invitation",
    async context => {
      const { request, set } = context
      await limitAddress("sign_ins", context)
      const body = await readBody(request)
      refuseOtherSites(request)
      const asked = parse(Acceptance, fieldsOf(body))
      const data = await limitFailures("sign_in_failures", asked.token, () =>
        call(acceptInvitation, asked, PASSWORD_TIMEOUT_MS),
      )
      set.headers["set-cookie"] = sessionCookie(data.token)
      return { data }
    },
    UNREAD,
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
    UNREAD,
  )
  .get("/session", async ({ request }) => {
    const { user_id } = await sessionOf(request)
    return { data: await call(showSession, { user_id }) }
  })

/** The same for every way of writing one address, and whether or not anybody has it. */
const accountOf = ({ email }: { email: string }) => email.normalize("NFC").toLowerCase()
