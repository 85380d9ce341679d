import { describe, expect, test } from "bun:test"
import { newProgram } from "../../support/program"
import { send, url } from "../../support/world"

const FORM = "application/x-www-form-urlencoded"
const PASSWORD = "a long and unusual secret"

let people = 0
const newEmail = () => `form-${Date.now()}-${people++}@example.com`

/** Sends a form as a browser does. */
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": FORM, "sec-fetch-site": "same-origin", ...headers },
  })

const signUp = (email: string) => post("/sign-up", { name: "Ada", email, password: PASSWORD })

async function sessionOf(headers: Headers) {
  const cookie = headers
    .getSetCookie()
    .map(line => line.split(";")[0])
    .join("; ")
  return send("GET", "/api/auth/session", { headers: { cookie } })
}

describe("a form of a public page", () => {
  test("signs up, in a session cookie, and leads on", async () => {
    const email = newEmail()
    const { status, headers } = await signUp(email)
    expect({ status, location: headers.get("location") }).toEqual({ status: 303, location: "/" })
    expect((await sessionOf(headers)).body.data.user).toMatchObject({ email, name: "Ada" })
  })

  test("signs in, and goes on with the page that it was opened for", async () => {
    const email = newEmail()
    await signUp(email)
    const next = encodeURIComponent("/programs/1/partners?status=active")
    const { status, headers } = await post(`/sign-in?next=${next}`, { email, password: PASSWORD })
    expect(status).toBe(303)
    expect(headers.get("location")).toBe("/programs/1/partners?status=active")
    expect((await sessionOf(headers)).status).toBe(200)
  })

  test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "never leads to %s",
    async next => {
      const email = newEmail()
      await signUp(email)
      const path = `/sign-in?next=${encodeURIComponent(next)}`
      const { status, headers } = await post(path, { email, password: PASSWORD })
      expect({ status, location: headers.get("location") }).toEqual({ status: 303, location: "/" })
    },
  )

  test("accepts an invitation", async () => {
    const { session, path, partner_id } = await newProgram()
    const invited = await send("POST", `${path}/partners/${partner_id}/invite`, { token: session })
    const { token } = invited.body.data
    const page = await send("GET", `/invitation?token=${token}`)
    expect(page.body).toContain(`value="${token}"`)
    const refused = await post("/invitation", { token, password: "short" })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain(`value="${token}"`) // the form again, since the token still holds

    const { status, headers } = await post("/invitation", { token, password: PASSWORD, name: "" })
    expect(status).toBe(303)
    expect((await sessionOf(headers)).body.data.partner).not.toBeNull()
  })
})

describe("a refused form", () => {
  test("is the form again, with the API's sentence and what was typed, but not the password", async () => {
    const email = `"><script>alert(1)</script>${newEmail()}`
    const { status, headers, body } = await post("/sign-in", { email, password: "wrong password" })
    const api = await send("POST", "/api/auth/sign-in", {
      body: { email, password: "wrong password" },
    })
    expect(status).toBe(api.status)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toContain("script-src 'self'")
    expect(body).toContain(api.body.error)
    expect(body).toContain(Bun.escapeHTML(email).slice(0, 5))
    expect(body).not.toContain("<script>")
    expect(body).not.toContain("wrong password")
  })

  test.each([
    [
      400,
      "a weak password",
      "/sign-up",
      { name: "Ada", email: "a@example.com", password: "short" },
      {},
    ],
    [400, "no address", "/sign-in", { password: PASSWORD }, {}],
    [400, "an unknown invitation", "/invitation", { token: "x", password: PASSWORD }, {}],
    [
      403,
      "another site",
      "/sign-in",
      { email: "a@example.com", password: PASSWORD },
      { "sec-fetch-site": "cross-site" },
    ],
    [415, "JSON", "/sign-in", {}, { "content-type": "application/json" }],
  ])("%i: %s", async (status, _what, path, fields, headers) => {
    const reply = await post(path, fields as Record<string, string>, headers)
    expect(reply.status).toBe(status)
    expect(reply.body).toContain('role="alert"')
    expect(reply.headers.getSetCookie()).toEqual([])
  })

  test("says that the address is taken", async () => {
    const email = newEmail()
    await signUp(email)
    const { status, body } = await signUp(email)
    expect(status).toBe(409)
    expect(body).toContain(email)
  })
})

test("the script's routes take no form", async () => {
  const { status } = await fetch(`${url}/api/auth/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ email: "a@example.com", password: PASSWORD }),
  })
  expect(status).toBe(415)
})
