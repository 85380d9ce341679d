import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newMember } from "../../support/member"
import {
  newClick,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let sibling: TestProgram
let foreign: TestProgram
beforeAll(async () => {
  program = await newProgram()
  sibling = await newProgramOf(program)
  foreign = await newProgram()
})

let count = 0
const newCode = () => `code_${process.pid}-${Date.now().toString(36)}-${++count}`
const linksOf = (one: TestProgram) => `${one.path}/referral-links`

const list = (query = "", one = program) =>
  send("GET", `${linksOf(one)}${query}`, { token: one.session })
const create = (fields: object = {}, one = program) =>
  send("POST", linksOf(one), {
    token: one.session,
    body: { partner_id: one.partner_id, ...fields },
  })
const update = (id: number | string, body: unknown, one = program) =>
  send("PUT", `${linksOf(one)}/${id}`, { token: one.session, body })

const LINK = {
  id: expect.any(Number),
  code: expect.any(String),
  status: "active",
  destination_url: null,
  url: expect.any(String),
  clicks: 0,
  last_clicked: null,
  partner_id: expect.any(Number),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
}

describe("POST …/referral-links", () => {
  refusesBadCredentials("POST", linksOf)
  refusesUnknownPrograms("POST", id => `/api/advertiser/affiliate-programs/${id}/referral-links`)

  test("creates a link with the given code, which takes clicks at once", async () => {
    const code = newCode()
    const { status, body } = await create({ code })
    const url = `https://shop.example/?aff=${code}`
    expect(status).toBe(201)
    expect(body).toEqual({ data: { ...LINK, code, url, partner_id: program.partner_id } })
    expect(await newClick({ code })).toStartWith("clk_")
  })

  test("generates a code when none is given", async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, async () => (await create()).body.data.code),
    )
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]{3,64}$/)
  })

  test.each([
    ["https://shop.example/sale", "https://shop.example/sale?aff=CODE"],
    ["https://shop.example/sale?a=1#top", "https://shop.example/sale?a=1&aff=CODE#top"],
    ["https://shop.example/?aff=other&b=2", "https://shop.example/?b=2&aff=CODE"],
    ["https://shop.example/?q=a+b%20c&z", "https://shop.example/?q=a+b%20c&z&aff=CODE"],
    ["HTTP://Shop.Example", "http://shop.example/?aff=CODE"],
  ])("has the url of %s with its code", async (destination_url, url) => {
    const code = newCode()
    const { body } = await create({ code, destination_url })
    expect(body.data).toMatchObject({ destination_url, url: url.replace("CODE", code) })
  })

  test("has no url if the program has no website either", async () => {
    const one = await newProgramOf(program, { website_url: undefined })
    expect((await create({}, one)).body.data).toMatchObject({ url: null, destination_url: null })
  })

  test.each<[number, string, () => object]>([
    [400, "no partner_id", () => ({ partner_id: undefined })],
    [400, "a partner_id that is text", () => ({ partner_id: `${program.partner_id}` })],
    [400, "a partner_id that is null", () => ({ partner_id: null })],
    [400, "a code of two characters", () => ({ code: "ab" })],
    [400, "a code of 65 characters", () => ({ code: "a".repeat(65) })],
    [400, "a code with a space", () => ({ code: "a b c" })],
    [400, "a code with an umlaut", () => ({ code: "zoë" })],
    [400, "a code that is a number", () => ({ code: 12_345 })],
    [400, "a destination that is not a URL", () => ({ destination_url: "shop.example" })],
    [400, "a destination that only looks like a URL", () => ({ destination_url: "https://[" })],
    [400, "a javascript: destination", () => ({ destination_url: "javascript:alert(1)" })],
    [400, "a destination without a host", () => ({ destination_url: "https:///x" })],
    [
      400,
      "a destination of 2,049 characters",
      () => ({ destination_url: "https://a.example/".padEnd(2_049, "x") }),
    ],
    [400, "an unknown partner_id", () => ({ partner_id: 9_007_199_254_740_991 })],
    [400, "another program's partner", () => ({ partner_id: foreign.partner_id })],
    [
      400,
      "an unknown partner_id, and a code that is taken",
      () => ({ partner_id: 9_007_199_254_740_991, code: program.code }),
    ],
    [409, "a code that is taken", () => ({ code: program.code })],
    [409, "a code that is taken in another workspace", () => ({ code: foreign.code })],
  ])("%i: %s", async (status, _why, fields) => {
    const before = (await list()).body.meta.pagination.total
    expect(await create(fields())).toMatchObject({ status, body: { error: expect.any(String) } })
    expect((await list()).body.meta.pagination.total).toBe(before)
  })

  test("400: the partner has been removed", async () => {
    const { partner_id } = await newPartner(program)
    await send("PUT", `${program.path}/partners/${partner_id}`, {
      token: program.session,
      body: { status: "removed" },
    })
    expect((await create({ partner_id })).status).toBe(400)
  })

  test("403: an analyst may only read", async () => {
    const token = await newMember(program, "analyst")
    const body = { partner_id: program.partner_id }
    expect((await send("POST", linksOf(program), { token, body })).status).toBe(403)
    expect((await send("POST", linksOf(program), { token, body: 7 })).status).toBe(403)
    expect((await send("GET", linksOf(program), { token })).status).toBe(200)
  })

  test("gives a code to one call when calls race", async () => {
    const code = newCode()
    const calls = Array.from({ length: 10 }, (_, i) => create({ code }, i % 2 ? program : sibling))
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(9).fill(409)])
  })

  test("codes are case-sensitive", async () => {
    const code = newCode()
    expect((await create({ code })).status).toBe(201)
    expect((await create({ code: code.toUpperCase() })).status).toBe(201)
  })

  test("unknown fields are not stored", async () => {
    const { body } = await create({ clicks: 99, status: "inactive", id: 1, program_id: 1 })
    expect(body.data).toMatchObject({ clicks: 0, status: "active" })
  })
})

describe("GET …/referral-links", () => {
  refusesBadCredentials("GET", linksOf)
  refusesUnknownPrograms("GET", id => `/api/advertiser/affiliate-programs/${id}/referral-links`)

  test("lists the links of the program by id, in pages, with their clicks", async () => {
    const one = await newProgram()
    const codes = [one.code, newCode(), newCode()]
    for (const code of codes.slice(1)) await create({ code }, one)
    await newClick({ code: codes[1]! })
    await newClick({ code: codes[1]! })

    const all = await list("", one)
    expect(all.body.data).toMatchObject(
      codes.map(code => ({
        ...LINK,
        clicks: code === codes[1] ? 2 : 0,
        last_clicked: code === codes[1] ? LINK.created_at : null,
        code,
      })),
    )
    expect(all.body.meta.pagination).toEqual({ page: 1, pageSize: 10, pageCount: 1, total: 3 })
    const second = await list("?page=2&pageSize=2", one)
    expect(second.body.data).toMatchObject([{ code: codes[2] }])
    expect(second.body.meta.pagination).toEqual({ page: 2, pageSize: 2, pageCount: 2, total: 3 })
    expect((await list("?page=9", one)).body.data).toEqual([])
  })

  test.each(["?page=0", "?page=x", "?pageSize=101", "?pageSize=0", "?page=1.5", "?x=%00"])(
    "400: %s",
    async query => {
      expect((await list(query)).status).toBe(400)
    },
  )
})

describe("PUT …/referral-links/:linkId", () => {
  const pathOf = (one: TestProgram) => `${linksOf(one)}/${one.link_id}`
  refusesBadCredentials("PUT", pathOf)
  refusesUnknownPrograms("PUT", id => `/api/advertiser/affiliate-programs/${id}/referral-links/1`)

  test("changes the given fields; null clears", async () => {
    const { id, ...link } = (await create()).body.data
    const destination_url = "https://shop.example/b"
    const changed = await update(id, { destination_url })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { id, status: "active", destination_url } },
    })
    expect((await update(id, { status: "inactive" })).body.data).toMatchObject({
      status: "inactive",
      destination_url,
    })
    expect((await update(id, {})).body.data).toMatchObject({ status: "inactive", destination_url })
    const cleared = await update(id, {
      destination_url: null,
      status: "active",
      code: "mine",
      clicks: 5,
    })
    expect(cleared.body).toEqual({ data: { id, ...link } })
  })

  test.each<[number, string, () => number | string, unknown]>([
    [404, "no such link", () => 9_007_199_254_740_991, 7],
    [404, "not a number", () => "x", 7],
    [404, "another program's link, of the same owner", () => sibling.link_id, 7],
    [404, "another workspace's link", () => foreign.link_id, {}],
    [400, "not an object", () => program.link_id, 7],
    [400, "an unknown status", () => program.link_id, { status: "paused" }],
    [400, "a status that is null", () => program.link_id, { status: null }],
    [400, "a destination that is not a URL", () => program.link_id, { destination_url: "x" }],
    [
      400,
      "a destination that only looks like one",
      () => program.link_id,
      { destination_url: "https://[" },
    ],
  ])("%i: %s", async (status, _why, id, body) => {
    expect(await update(id(), body)).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("counts every click while links change", async () => {
    const one = await newProgram()
    const clicks = Array.from({ length: 60 }, () => newClick(one))
    const changes = Array.from({ length: 20 }, (_, i) =>
      update(one.link_id, { destination_url: `https://shop.example/${i}` }, one),
    )
    await Promise.all([...clicks, ...changes])
    const [link] = await sql`select clicks from tracking.counted_links where id = ${one.link_id}`
    expect(link).toEqual({ clicks: 60 })
  })
})
