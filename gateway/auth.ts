import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { config } from "../lib/config"
import { parse } from "../lib/contract"
import { Fault } from "../lib/fault"
import { SignIn, SignUp, showSession, signIn, signOut, signUp } from "../services/identity/contract"
import { fieldsIfAny, fieldsOf, readBody } from "./body"
import { sessionOf } from "./caller"
import { noSessionCookie, sessionCookie } from "./session-cookie"

const PASSWORD_TIMEOUT_MS = 5_000 // hashing is slow on purpose, and many may sign in at once

/** How people come by a dashboard session, and end it (contract 2). */
export const auth = new Elysia({ prefix: "/api/auth" })
  .post(
    "/sign-up",
    async ({ request, set }) => {
      const body = await readBody(request)
      if (config.sign_up === "closed") {
        throw new Fault("forbidden", "Accounts are made by invitation only here.")
      }
      const data = await call(signUp, parse(SignUp, fieldsOf(body)), PASSWORD_TIMEOUT_MS)
      set.status = 201
      set.headers["set-cookie"] = sessionCookie(data.token)
      return { data }
    },
    { parse: "none" },
  )
  .post(
    "/sign-in",
    async ({ request, set }) => {
      const body = await readBody(request)
      const data = await call(signIn, parse(SignIn, fieldsOf(body)), PASSWORD_TIMEOUT_MS)
      set.headers["set-cookie"] = sessionCookie(data.token)
      return { data }
    },
    { parse: "none" },
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
    { parse: "none" },
  )
  .get("/session", async ({ request }) => {
    const { user_id } = await sessionOf(request)
    return { data: await call(showSession, { user_id }) }
  })
