import { beforeAll, describe, expect, test } from "bun:test"
import { hashOf } from "../../../lib/token"
import { refusesBadCredentials } from "../../support/credentials"
import { newMember, newMemberOnly } from "../../support/member"
import { newOwner, type Owner } from "../../support/program"
import { send, sql } from "../../support/world"

let owner: Owner
beforeAll(async () => {
  owner = await newOwner()
})

const PROGRAMS = "/api/advertiser/affiliate-programs"
let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now()}-${++count}`.toLowerCase()
const create = (fields: object = {}, token = owner.session, headers = {}) =>
  send("POST", PROGRAMS, { token, headers, body: { name: unique("Program"), ...fields } })
const countPrograms = async () =>
  (await send("GET", PROGRAMS, { token: owner.session })).body.meta.pagination.total

describe("POST /api/advertiser/affiliate-programs", () => {
  test("creates a program with default settings, and shows its token only once", async () => {
    const name = unique("Café & Co.")
    const { status, body } = await create({ name, id: 1, workspace_id: 1, published_at: "now" })
    const { api_token, ...program } = body.data
    expect(status).toBe(201)
    expect(api_token).toMatch(/^aff_[0-9A-Za-z]{38}$/)
    expect(program).toEqual({
      id: expect.any(Number),
      workspace_id: owner.workspace_id,
      name,
      slug: name.replace("café & co.", "cafe-co"),
      website_url: null,
      status: "active",
      currency: "USD",
      attribution_model: "last_click",
      cookie_window_days: 60,
      lead_auth: "browser",
      share_sale_amount: false,
      api_token_masked: `${api_token.slice(0, 12)}****${api_token.slice(-4)}`,
      published_at: null,
      is_demo: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const shown = await send("GET", `${PROGRAMS}/${program.id}`, { token: owner.session })
    expect(shown.body).toEqual({ data: program })
  })

  test("accepts every setting", async () => {
    const fields = {
      name: unique("All"),
      website_url: "https://shop.example/start?a=b",
      slug: unique("all"),
      cookie_window_days: 365,
      attribution_model: "first_click",
      lead_auth: "server",
      share_sale_amount: true,
    }
    const commission = { kind: "fixed", amount_cents: 500, hold_days: 0 }
    const { status, body } = await create({ ...fields, currency: "jpy", commission })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ ...fields, currency: "JPY" })

    const groups = await send("GET", `${PROGRAMS}/${body.data.id}/groups`, { token: owner.session })
    expect(groups.body.data).toMatchObject([
      { name: "Default", is_default: true, policy: { version: 1, ...commission } },
    ])
  })

  test("stores only the hash and the masked form of the token", async () => {
    const { body } = await create()
    const [stored] = await sql`
      select token_hash, programs::text || program_changes::text as everything
      from identity.programs
      join identity.program_changes on program_id = programs.id
      where programs.id = ${body.data.id}
    `
    expect(stored?.token_hash).toBe(hashOf(body.data.api_token))
    expect(stored?.everything).not.toContain(body.data.api_token)
  })

  test("updates tracking and commissions before it replies", async () => {
    const { body } = await create({ cookie_window_days: 7, currency: "EUR" })
    const [known] = await sql`
      select tracking.programs.cookie_window_days, commissions.programs.currency
      from tracking.programs
      join commissions.programs using (program_id)
      where program_id = ${body.data.id}
    `
    expect({ ...known }).toEqual({ cookie_window_days: 7, currency: "EUR" })
  })

  test("derives a slug from any name, and another one if it is taken", async () => {
    const name = unique("Same Name")
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ name })))
    const slugs = answers.map(answer => answer.body.data.slug)
    expect(new Set(slugs).size).toBe(4)
    for (const slug of slugs) expect(slug).toStartWith("same-name-")

    const { body } = await create({ name: "日本" })
    expect(body.data.slug).toMatch(/^program(-[0-9a-f]{6})?$/)
  })

  test("gives a slug to one of several concurrent requests; the others leave nothing", async () => {
    const slug = unique("wanted")
    const before = await countPrograms()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ slug })))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every(status => status === 409 || status === 503)).toBe(true)
    expect(await countPrograms()).toBe(before + 1)
  })

  test("creates it in the workspace that the request names", async () => {
    const session = await newMember(owner, "admin")
    const named = await create({}, session, { "x-workspace-id": String(owner.workspace_id) })
    expect(named.body.data.workspace_id).toBe(owner.workspace_id)
    const own = await create({}, session)
    expect(own.body.data.workspace_id).not.toBe(owner.workspace_id)
  })

  refusesBadCredentials("POST", () => PROGRAMS)

  test.each(["abc", "0", "9007199254740991"])("404: the workspace is %s", async id => {
    const answer = await create({ name: 7 }, owner.session, { "x-workspace-id": id })
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
  })

  test("404: the workspace is another owner's", async () => {
    const other = await newOwner()
    const headers = { "x-workspace-id": String(other.workspace_id) }
    expect((await create({ name: 7 }, owner.session, headers)).status).toBe(404)
  })

  test.each([
    ["an analyst", "analyst", "active"],
    ["billing", "billing", "active"],
    ["a suspended owner", "owner", "suspended"],
  ] as const)("403: the member is %s", async (_who, role, status) => {
    const session = await newMemberOnly(owner, role, status)
    expect((await create({ name: 7 }, session)).status).toBe(403)
    const headers = { "x-workspace-id": String(owner.workspace_id) }
    expect((await create({}, session, headers)).status).toBe(403)
  })

  test.each(["", "[]", "null", "7", '"text"', "{", '{"name": -0}'])(
    "400: the body is %s",
    async body => {
      const headers = { "content-type": "application/json" }
      const answer = await send("POST", PROGRAMS, { token: owner.session, body, headers })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    },
  )

  test.each([
    ["there is no name", { name: undefined }],
    ["the name is null", { name: null }],
    ["the name is empty", { name: "" }],
    ["the name is blank", { name: " \t" }],
    ["the name is a number", { name: 7 }],
    ["the name has 256 characters", { name: "n".repeat(256) }],
    ["the name contains a NUL", { name: "a\0b" }],
    ["the website is not a URL", { website_url: "shop.example" }],
    ["the website is empty", { website_url: "" }],
    ["the website is a script", { website_url: "javascript:alert(1)" }],
    ["the website is a file", { website_url: "ftp://shop.example" }],
    ["the website has no host", { website_url: "https://" }],
    ["the website contains a space", { website_url: "https://shop.example/a b" }],
    ["the website is too long", { website_url: `https://shop.example/${"a".repeat(2_048)}` }],
    ["the slug is null", { slug: null }],
    ["the slug is empty", { slug: "" }],
    ["the slug has capitals", { slug: "Shop" }],
    ["the slug has spaces", { slug: "my shop" }],
    ["the slug begins with a hyphen", { slug: "-shop" }],
    ["the slug ends with a hyphen", { slug: "shop-" }],
    ["the slug has two hyphens", { slug: "my--shop" }],
    ["the slug ends with a line break", { slug: "shop\n" }],
    ["the slug is too long", { slug: "a".repeat(65) }],
    ["the currency is unknown", { currency: "XXY" }],
    ["the currency has four letters", { currency: "USDT" }],
    ["the currency is empty", { currency: "" }],
    ["the currency is null", { currency: null }],
    ["the window is 0", { cookie_window_days: 0 }],
    ["the window is 366", { cookie_window_days: 366 }],
    ["the window is a fraction", { cookie_window_days: 1.5 }],
    ["the window is text", { cookie_window_days: "60" }],
    ["the window is null", { cookie_window_days: null }],
    ["the attribution is unknown", { attribution_model: "linear" }],
    ["lead_auth is unknown", { lead_auth: "none" }],
    ["share_sale_amount is text", { share_sale_amount: "true" }],
    ["the commission is null", { commission: null }],
    ["the commission is text", { commission: "30%" }],
    ["the commission has no kind", { commission: { rate_bps: 100 } }],
    ["a percentage has no rate", { commission: { kind: "percent" } }],
    ["a percentage is more than 100", { commission: { kind: "percent", rate_bps: 10_001 } }],
    ["a fixed commission has no amount", { commission: { kind: "fixed", rate_bps: 100 } }],
    ["the hold is too long", { commission: { kind: "percent", rate_bps: 1, hold_days: 91 } }],
  ])("400: %s", async (_why, fields) => {
    const before = await countPrograms()
    const answer = await create(fields)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(Object.keys(answer.body)).toEqual(["error"])
    expect(await countPrograms()).toBe(before)
  })

  test("409: the slug is taken, in any workspace", async () => {
    const slug = unique("taken")
    const other = await newOwner()
    expect((await create({ slug }, other.session)).status).toBe(201)
    expect(await create({ slug })).toMatchObject({
      status: 409,
      body: { error: expect.any(String) },
    })
  })

  test("409: the slug is an archived program's", async () => {
    const slug = unique("archived")
    const { body } = await create({ slug })
    await send("DELETE", `${PROGRAMS}/${body.data.id}`, { token: owner.session })
    expect((await create({ slug })).status).toBe(409)
  })

  test("405: another method", async () => {
    const answer = await send("PATCH", PROGRAMS, { token: owner.session })
    expect(answer).toMatchObject({ status: 405, body: { error: expect.any(String) } })
    expect(answer.headers.get("allow")).toBe("GET, POST, HEAD")
  })
})
