import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { refusesBadCredentials } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newPartnerAccount } from "../../support/partner-account"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const LINKS = "/api/partner/links"
const create = (token: string, body: unknown, query = "") =>
  send("POST", `${LINKS}${query}`, { token, body })
const list = (token: string, query: string) => send("GET", `${LINKS}${query}`, { token })

let program: TestProgram
let account: string
beforeAll(async () => {
  program = await newProgram({ website_url: "https://shop.example/" })
  account = await newPartnerAccount(program)
})

let count = 0
const newCode = () => `own-${process.pid}-${Date.now().toString(36)}-${++count}`

describe("POST /api/partner/links", () => {
  test("creates a link to a page of the site, which clicks count for", async () => {
    const code = newCode()
    const destination_url = "https://shop.example/shoes?size=8"
    const body = { program_id: program.program_id, code, destination_url }
    let created: Awaited<ReturnType<typeof create>> | undefined
    const entries = await entriesWrittenBy(program, async () => {
      created = await create(account, body)
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        data: {
          code,
          status: "active",
          destination_url,
          url: `https://shop.example/shoes?size=8&aff=${code}`,
          clicks: 0,
          last_clicked: null,
          partner_id: program.partner_id,
        },
      },
    })
    expect(entries).toMatchObject([{ action: "link.create", actor: { kind: "none" } }])
    await newClick({ code })
    const { data } = (await list(account, `?program_id=${program.program_id}`)).body
    expect(data.find((link: { code: string }) => link.code === code)).toMatchObject({ clicks: 1 })
  })

  test("generates a code, and leads to the site itself", async () => {
    const { body } = await create(account, { program_id: program.program_id })
    expect(body.data.url).toBe(`https://shop.example/?aff=${body.data.code}`)
  })

  test("stops at 50 links, however many requests race", async () => {
    const { partner_id } = await newPartner(program)
    const token = await newPartnerAccount({ ...program, partner_id })
    const tries = Array.from({ length: 55 }, () =>
      create(token, { program_id: program.program_id }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(49).fill(201), ...Array(6).fill(409)])
  })

  refusesBadCredentials("POST", () => LINKS)

  const ours = () => ({ program_id: program.program_id })
  test.each<[number, string, () => unknown]>([
    [400, "another site", () => ({ ...ours(), destination_url: "https://evil.example/" })],
    [400, "a subdomain", () => ({ ...ours(), destination_url: "https://a.shop.example/" })],
    [400, "a suffix", () => ({ ...ours(), destination_url: "https://shop.example.evil/" })],
    [400, "a port", () => ({ ...ours(), destination_url: "https://shop.example:8443/" })],
    [400, "a user", () => ({ ...ours(), destination_url: "https://shop.example@evil.example/" })],
    [400, "a password", () => ({ ...ours(), destination_url: "https://a:b@shop.example/" })],
    [
      400,
      "a script",
      () => ({ ...ours(), destination_url: "javascript://shop.example/%0aalert(1)" }),
    ],
    [400, "no program", () => ({})],
    [400, "an unknown program", () => ({ program_id: 2 ** 52 })],
    [400, "a bad code", () => ({ ...ours(), code: "a b" })],
    [409, "a code of someone", () => ({ ...ours(), code: program.code })],
  ])("%i: %s", async (status, _why, body) => {
    const before = await countLinks()
    expect(await create(account, body())).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
    expect(await countLinks()).toBe(before)
  })

  const countLinks = async () => {
    const [{ links }] = await sql<[{ links: number }]>`
      select count(*)::int as links
      from tracking.referral_links
      where program_id = ${program.program_id}
    `
    return links
  }

  test("is 409 for a suspended partner, in an archived program, and 400 without a website", async () => {
    const bare = await newProgram({ website_url: null })
    const token = await newPartnerAccount(bare)
    const to = { program_id: bare.program_id, destination_url: "https://shop.example/" }
    expect((await create(token, to)).status).toBe(400)
    const partner = `${bare.path}/partners/${bare.partner_id}`
    const put = (status: string) => send("PUT", partner, { token: bare.session, body: { status } })
    await put("suspended")
    expect((await create(token, { program_id: bare.program_id })).status).toBe(409)
    await put("approved")
    await send("DELETE", bare.path, { token: bare.session })
    expect((await create(token, { program_id: bare.program_id })).status).toBe(409)
  })

  test("is 403 for members, with and without as_partner, and 401 for keys", async () => {
    const { key } = await newKey(program)
    const as = `?as_partner=${program.partner_id}`
    for (const [status, token, query] of [
      [403, program.session, ""],
      [403, program.session, as],
      [403, account, as],
      [401, key, as],
      [401, "", as],
    ] as const) {
      expect((await create(token, ours(), query)).status).toBe(status)
    }
  })
})
