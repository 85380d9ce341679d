import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, settle } from "../../support/books"
import { newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let group_id: number
let bound: number // a partner with an account
let pending: number
let approved: number
let sold: Awaited<ReturnType<typeof newSale>> // to be refunded
let invitation: string
const customer_key = "customer of the archive"

beforeAll(async () => {
  program = await newProgram()
  const { body } = await send("GET", `${program.path}/groups`, { token: program.session })
  group_id = body.data[0].id
  pending = (await newSale(program, { customer_key })).commission_id
  approved = (await newSale(program)).commission_id
  await settle(program, approved, "approve")
  sold = await newSale(program)
  const { partner_id } = await newPartner(program)
  await newPartnerAccount({ ...program, partner_id })
  bound = partner_id
  invitation = (await call("POST", `/partners/${program.partner_id}/invite`)).body.data.token
  expect((await call("DELETE", "")).status).toBe(200)
})

const call = (method: string, path: string, body?: unknown) =>
  send(method, program.path + path, { token: program.session, body })

const policy = { kind: "percent", rate_bps: 100 }
const partner = { email: "late@example.com", name: "Late" }

/** Every write that an archived program refuses, with a body that is valid. */
const WRITES: [method: string, path: () => string, body?: () => object][] = [
  ["PUT", () => "", () => ({ name: "Renamed" })],
  ["POST", () => "/go-live"],
  ["POST", () => "/regenerate-api-token"],
  ["POST", () => "/groups", () => ({ name: "Late", policy })],
  ["PUT", () => `/groups/${group_id}`, () => ({ policy })],
  ["POST", () => "/partners", () => partner],
  ["PUT", () => `/partners/${program.partner_id}`, () => ({ status: "suspended" })],
  ["POST", () => `/partners/${program.partner_id}/invite`],
  ["POST", () => "/referral-links", () => ({ partner_id: program.partner_id })],
  ["PUT", () => `/referral-links/${program.link_id}`, () => ({ status: "inactive" })],
  ["POST", () => `/commissions/${pending}/approve`],
  ["POST", () => `/commissions/${pending}/reject`, () => ({ reason: "too late" })],
  ["POST", () => "/commissions/bulk", () => ({ action: "approve", ids: [pending] })],
]

describe("an archived program", () => {
  test.each(WRITES)("409: %s %s", async (method, path, body) => {
    const reply = await call(method, path(), body?.())
    expect(reply).toMatchObject({ status: 409, body: { error: expect.any(String) } })
  })

  test.each<[method: string, path: () => string, body: object]>([
    ["POST", () => "/groups", { name: 7 }],
    ["POST", () => "/partners", { ...partner, email: "late" }],
    ["PUT", () => `/partners/${program.partner_id}`, { status: "gone" }],
    ["POST", () => "/referral-links", {}],
  ])("400 comes before 409: %s %s", async (method, path, body) => {
    expect((await call(method, path(), body)).status).toBe(400)
  })

  test.each([
    ["PUT", "/groups/9007199254740991"],
    ["PUT", "/partners/9007199254740991"],
    ["POST", "/commissions/9007199254740991/approve"],
  ])("404 comes before 409: %s %s", async (method, path) => {
    expect((await call(method, path, {})).status).toBe(404)
  })

  test("409: a partner accepts an invitation that was sent before", async () => {
    const password = "correct horse battery"
    const email = `late-${Date.now()}@example.com`
    const body = { token: invitation, password, email }
    expect((await send("POST", "/api/auth/accept-invitation", { body })).status).toBe(409)
    const signedIn = await send("POST", "/api/auth/sign-in", { body: { email, password } })
    expect(signedIn.status).toBe(401) // no account was created
  })

  test("nothing of it has changed", async () => {
    const read = async (path: string) => (await call("GET", path)).body
    expect((await read("")).data).toMatchObject({ status: "archived", published_at: null })
    expect((await read("/groups")).data).toMatchObject([{ policy: { rate_bps: 3_000 } }])
    expect((await read("/partners?pageSize=100")).meta.pagination.total).toBe(5)
    const links = (await read("/referral-links?pageSize=100")).data
    expect(links.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill("active"))
    const { data } = await read("/commissions")
    const statuses = data.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(["pending", "approved", "pending"])
  })

  test("still refunds: its token is good for that alone", async () => {
    const body = { transaction_id: sold.transaction_id, refund_amount_cents: 1_000 }
    const track = (what: string, body: object) =>
      send("POST", `/api/v1/track/${what}`, { token: program.api_token, body })
    const refunded = await track("refund", body)
    expect(refunded).toMatchObject({ status: 200, body: { status: "refunded" } })
    expect((await call("GET", "/commissions")).body.data).toContainEqual(
      expect.objectContaining({ id: sold.commission_id, refunded_cents: 1_000 }),
    )
    expect((await track("refund", {})).status).toBe(400)
    expect((await track("refund", { transaction_id: "of no sale" })).status).toBe(404)
    const additional_data = { test_mode: true }
    expect((await track("refund", { additional_data })).status).toBe(200)

    const sale = { transaction_id: "after the end", amount_cents: 100, customer_key }
    expect((await track("sale", sale)).status).toBe(401)
    expect((await track("sale", { additional_data })).status).toBe(401)
    expect((await track("lead", { customer_key })).status).toBe(401)
  })

  test("still pays out, erases customers and unbinds accounts, and is archived again", async () => {
    expect((await call("POST", `/commissions/${approved}/mark-paid`)).body.data.status).toBe("paid")
    const customer = `/customers/${encodeURIComponent(customer_key)}`
    expect((await call("DELETE", customer)).status).toBe(200)
    expect((await call("DELETE", `/partners/${bound}/account`)).status).toBe(200)
    expect((await call("DELETE", "")).status).toBe(200)
  })
})
