import { describe, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

const show = (slug: string, query = "") => send("GET", `/api/public/programs/${slug}${query}`)
const call = (of: TestProgram, method: string, path: string, body?: object) =>
  send(method, `${of.path}${path}`, { token: of.session, body })

/** A published program, and its slug. */
async function published(fields: object = {}) {
  const program = await newProgram(fields)
  const { body } = await call(program, "POST", "/go-live")
  return { ...program, slug: body.data.slug as string, name: body.data.name as string }
}

describe("GET /api/public/programs/:slug", () => {
  test("shows what a partner joins, and nothing else", async () => {
    const commission = { kind: "percent", rate_bps: 1_500, hold_days: 30 }
    const program = await published({ commission, currency: "EUR", cookie_window_days: 45 })
    await call(program, "PUT", "/branding", { color: "#146c43", welcome: "Welcome!" })
    await call(program, "PUT", "/terms", { text: "No brand bidding." })
    const { status, body } = await show(program.slug)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      name: program.name,
      slug: program.slug,
      website_url: "https://shop.example",
      status: "active",
      currency: "EUR",
      cookie_window_days: 45,
      attribution_model: "last_click",
      policy: {
        version: 1,
        effective_from: expect.any(String),
        ...commission,
        duration_months: null,
        auto_approve: true,
        products: [],
      },
      terms: { version: 1, text: "No brand bidding.", created_at: expect.any(String) },
      branding: { color: "#146c43", welcome: "Welcome!", logo: null },
    })
  })

  test("shows the policy in force, not one of later, and no terms where there are none", async () => {
    const program = await published()
    await call(program, "PUT", "/terms", { text: "For a while" })
    await call(program, "PUT", "/terms", { text: "" })
    const { body } = await call(program, "GET", "/groups")
    const path = `/groups/${body.data[0].id}`
    await call(program, "PUT", path, { policy: { kind: "percent", rate_bps: 1_000 } })
    const effective_from = new Date(Date.now() + 86_400_000).toISOString()
    const later = { kind: "percent", rate_bps: 100, effective_from }
    expect((await call(program, "PUT", path, { policy: later })).status).toBe(200)
    const shown = (await show(program.slug)).body.data
    expect(shown).toMatchObject({ policy: { version: 2, rate_bps: 1_000 }, terms: null })
  })

  test("is 404 before it is published and once it is archived", async () => {
    const program = await newProgram()
    const { slug } = (await call(program, "GET", "")).body.data
    expect((await show(slug)).status).toBe(404)
    await call(program, "POST", "/go-live")
    expect((await show(slug)).status).toBe(200)
    await call(program, "DELETE", "")
    expect(await show(slug)).toMatchObject({ status: 404, body: { error: "Program not found." } })
  })

  test("follows the slug", async () => {
    const { slug, ...program } = await published()
    await call(program, "PUT", "", { slug: `${slug}-new` })
    expect((await show(slug)).status).toBe(404)
    expect((await show(`${slug}-new`)).status).toBe(200)
  })

  test.each(["no-such", "%00", "%ff", "a%2fb", "%27%20or%201=1", "..%2f", "x".repeat(300)])(
    "404: %s",
    async slug => {
      expect((await show(slug)).status).toBe(404)
      expect((await send("GET", `/api/public/logos/${slug}`)).status).toBe(404)
    },
  )

  test("400: an unstorable query", async () => {
    expect((await show((await published()).slug, "?a=%00")).status).toBe(400)
  })
})
