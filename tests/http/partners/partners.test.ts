import { beforeAll, describe, expect, test } from "bun:test"
import { lockTable, waitForBlockedSessions } from "../../support/locks"
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
let other: TestProgram
let analyst: string
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
  analyst = await newMember(program, "analyst")
})

let count = 0
const unique = () => `p${process.pid}-${Date.now().toString(36)}-${++count}`
const email = () => `${unique()}@example.com`

const JSON_TYPE = { "content-type": "application/json" } // also of bodies that are not JSON
const request = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/partners${path}`, { token, body, headers: JSON_TYPE })
const put = (partner_id: number, change: object) => request("PUT", `/${partner_id}`, change)

const click = (code: string) =>
  send("POST", "/api/v1/track/click", {
    body: { affiliate_url: `https://shop.example/?aff=${code}` },
  })

/** Reports a sale for the click. Returns the status and the commission, null if refused. */
async function sell(click_id: string) {
  const body = { transaction_id: unique(), amount_cents: 1_000, click_id }
  const sold = await send("POST", "/api/v1/track/sale", { token: program.api_token, body })
  if (sold.status !== 200) return { status: sold.status, commission: null }
  const path = `${program.path}/sales/${sold.body.sale_id}`
  const shown = await send("GET", path, { token: program.session })
  return { status: sold.status, commission: shown.body.data.commission }
}

/** Counts the program's partners in tracking, in any status. */
async function countTrackingPartners(): Promise<number> {
  const rows = await sql`
    select 1
    from tracking.partner_programs
    where program_id = ${program.program_id}
  `
  return rows.length
}

describe("partners", () => {
  test("are created with a link, and shown with clicks, balances and links", async () => {
    const body = { email: `Ada-${email()}`, name: "Ada", code: unique(), status: "removed" }
    const created = await request("POST", "", body)
    expect(created.status).toBe(201)
    expect(created.body.data).toEqual({
      partner_id: expect.any(Number),
      email: body.email,
      name: "Ada",
      status: "approved",
      group_id: expect.any(Number),
      account: "none",
      clicks: 0,
      balance_cents: 0,
      balances: [],
      links: [
        {
          id: expect.any(Number),
          code: body.code,
          status: "active",
          destination_url: null,
          url: `https://shop.example/?aff=${body.code}`,
          clicks: 0,
          last_clicked: null,
          partner_id: created.body.data.partner_id,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      note: null,
      created_at: expect.stringMatching(/Z$/),
    })
    await sell(await newClick(body))
    const shown = await request("GET", `/${created.body.data.partner_id}`)
    expect(shown.body.data).toMatchObject({
      clicks: 1,
      balance_cents: 300,
      balances: [{ currency: "USD", balance_cents: 300 }],
      links: [{ clicks: 1 }],
    })
    const { data, meta } = (await request("GET", "?pageSize=100")).body
    expect(data).toContainEqual(shown.body.data)
    expect(meta.pagination.total).toBe(data.length)
  })

  test("are separate in each program, even with the same e-mail address", async () => {
    const same = email()
    const second = await newProgramOf(program)
    const [one, two] = [
      await newPartner(program, { email: same }),
      await newPartner(second, { email: same }),
    ]
    expect(one.partner_id).not.toBe(two.partner_id)
  })

  test("are unique by e-mail address in any case, under concurrent requests", async () => {
    const same = email()
    const requests = Array.from({ length: 20 }, (_, i) =>
      request("POST", "", { email: i % 2 ? same : same.toUpperCase(), name: "Ada" }),
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every(status => status === 409 || status === 503)).toBe(true)
    expect((await request("POST", "", { email: same, name: "Ada" })).status).toBe(409)
  })

  test.each([
    ["another case", "zoë", "ZOË"],
    ["another composition", "zoë", "zoe\u0308"],
    ["both", "ΖΩΉ", "ζωη\u0301"],
    ["a capital that has no composed form", "ǰ", "J\u030c"],
  ])(
    "are unique by e-mail address in %s, which is shown as it was written",
    async (_what, one, other) => {
      const address = email()
      const created = await request("POST", "", { email: one + address, name: "Zoë" })
      expect(created).toMatchObject({ status: 201, body: { data: { email: one + address } } })
      const again = await request("POST", "", { email: other + address, name: "Zoë" })
      expect(again).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    },
  )

  test("are unique by code; refused ones leave nothing behind", async () => {
    const code = unique()
    const emails = Array.from({ length: 10 }, email)
    const requests = emails.map(email => request("POST", "", { email, name: "Ada", code }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(9).fill(409)])

    const [{ stored }] = (await sql`
      select count(*) as stored
      from commissions.partner_programs
      where email = any(${emails})
    `) as unknown as [{ stored: number }]
    expect(stored).toBe(1)
  })

  test("refused for a taken code leave nothing in tracking either", async () => {
    const before = await countTrackingPartners()
    const body = { email: email(), name: "Ada", code: program.code }
    expect((await request("POST", "", body)).status).toBe(409)
    expect(await countTrackingPartners()).toBe(before)
  })

  test("bring no clicks while suspended, and their commissions wait for approval", async () => {
    const { partner_id, code } = await newPartner(program)
    const click_id = await newClick({ code })

    expect((await put(partner_id, { status: "suspended" })).body.data.status).toBe("suspended")
    expect((await click(code)).body).toMatchObject({ success: false })
    const { commission } = await sell(click_id)
    expect(commission).toMatchObject({ status: "pending", amount_cents: 300, partner_id })

    await sql`
      update commissions.commissions
      set hold_ends_at = now()
      where id = ${commission.id}
    `
    await put(partner_id, { status: "approved" })
    expect((await click(code)).body).toMatchObject({ success: true })
    await Bun.sleep(1_500) // more than the pause between two sweeps
    const { body } = await send("GET", `${program.path}/commissions?partner_id=${partner_id}`, {
      token: program.session,
    })
    expect(body.data).toMatchObject([{ id: commission.id, status: "pending" }])
  })

  test("earn nothing more once removed, and stay listed", async () => {
    const { partner_id, code } = await newPartner(program)
    const click_id = await newClick({ code })
    await put(partner_id, { status: "removed" })

    expect((await click(code)).status).toBe(400)
    expect((await sell(click_id)).status).toBe(400)
    const { data } = (await request("GET", `/${partner_id}`)).body
    expect(data).toMatchObject({ status: "removed", clicks: 1 })
    expect((await request("GET", "?pageSize=100")).body.data).toContainEqual(data)
  })

  test("earn by the policy of the group that they move to", async () => {
    const policy = { kind: "fixed", amount_cents: 77 }
    const { body } = await send("POST", `${program.path}/groups`, {
      token: program.session,
      body: { name: "Fixed", policy },
    })
    const { partner_id, code } = await newPartner(program)
    const moved = await put(partner_id, { group_id: body.data.id })
    expect(moved.body.data).toMatchObject({ group_id: body.data.id, status: "approved" })
    expect((await sell(await newClick({ code }))).commission).toMatchObject({ amount_cents: 77 })
  })

  test("end in one of the states that concurrent requests set, also in tracking", async () => {
    const { partner_id } = await newPartner(program)
    const requests = Array.from({ length: 8 }, (_, i) =>
      put(partner_id, { status: i % 2 ? "suspended" : "approved" }),
    )
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(8).fill(200))

    const copies = await sql`
      select partner.version, partner.status, partner.proposed is null as is_complete,
        (copy.version, copy.status) = (partner.version, partner.status) as is_in_sync
      from commissions.partner_programs as partner
      join tracking.partner_programs as copy using (program_id, partner_id)
      where partner_id = ${partner_id}
    `
    expect(copies[0]).toMatchObject({ is_complete: true, is_in_sync: true })
    expect(copies[0]!.version).toBeGreaterThan(2) // those that change nothing make no version
  })

  test.each<[number, string, string, string, unknown, (() => string)?]>([
    [401, "no credential, and not JSON either", "POST", "", "{", () => ""],
    [401, "a tracking token", "GET", "", undefined, () => program.api_token],
    [404, "another workspace's program", "POST", "", "{", () => other.session],
    [403, "an analyst who writes", "POST", "", "{", () => analyst],
    [404, "an invalid partner id", "PUT", "/-1", "{"],
    [404, "an unknown partner", "PUT", "/999999999", "{"],
    [404, "an unknown partner", "GET", "/999999999", undefined],
    [400, "not JSON", "POST", "", "{"],
    [400, "no e-mail", "POST", "", { name: "A" }],
    [400, "an invalid e-mail", "POST", "", { name: "A", email: "a b@c" }],
    [400, "an e-mail with a mark", "POST", "", { name: "A", email: "a@b.c\u200e" }],
    [400, "no name", "POST", "", { email: "a@example.com" }],
    [400, "a code that is too short", "POST", "", { name: "A", email: "a@b.c", code: "ab" }],
    [400, "an unknown group", "POST", "", { name: "A", email: "a@b.c", group_id: 999_999_999 }],
    [400, "page 0", "GET", "?page=0", undefined],
  ])("%i: %s", async (status, _why, method, path, body, token) => {
    const answer = await request(method, path, body, token?.())
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each([
    ["an unknown status", { status: "friendly" }],
    ["no status", { status: null }],
    ["an unknown group", { group_id: 999_999_999 }],
  ])("400, and no change: %s", async (_why, change) => {
    const { partner_id } = await newPartner(program)
    const before = (await request("GET", `/${partner_id}`)).body
    expect((await put(partner_id, change)).status).toBe(400)
    expect((await request("GET", `/${partner_id}`)).body).toEqual(before)
  })

  test("another program's partner is not found, and its group is refused", async () => {
    expect((await put(other.partner_id, { status: "removed" })).status).toBe(404)
    const { body } = await send("GET", `${other.path}/groups`, { token: other.session })
    expect((await put(program.partner_id, { group_id: body.data[0].id })).status).toBe(400)
  })
})

test("a partner with more links than one message holds is shown with all of them", async () => {
  const { partner_id } = await newPartner(program)
  await sql`
    insert into tracking.referral_links (code, program_id, partner_id, destination_url)
    select
      ${unique()} || '-' || n, ${program.program_id}, ${partner_id},
      'https://shop.example/' || repeat('d', 1900)
    from generate_series(1, 1200) as n
  `
  const { status, body } = await request("GET", `/${partner_id}`)
  expect(status).toBe(200)
  const ids = body.data.links.map(({ id }: { id: number }) => id)
  expect(new Set(ids).size).toBe(1_201)
  expect(ids).toEqual(ids.toSorted((one: number, two: number) => one - two))
})

describe("a partner whose creation is in progress", () => {
  test("brings no clicks and shows no link until it is published", async () => {
    const code = unique()
    const linksNow = async () => {
      const path = `${program.path}/referral-links`
      return (await send("GET", path, { token: program.session })).body.meta.pagination.total
    }
    const partnersNow = async () => (await request("GET", "")).body.meta.pagination.total
    const [links, partners] = [await linksNow(), await partnersNow()]
    const unlockLinks = await lockTable("tracking.referral_links", "exclusive")
    const created = request("POST", "", { email: email(), name: "Ada", code })
    await waitForBlockedSessions(1, "tracking.referral_links") // commissions has stored it
    const unlockPartners = await lockTable("commissions.partner_programs", "share")
    await unlockLinks()
    await waitForBlockedSessions(1, "commissions.partner_programs")
    const [clicked, seen] = [await click(code), await linksNow()]
    const shown = await partnersNow()
    await unlockPartners()

    expect(clicked.status).toBe(400)
    expect([seen, shown]).toEqual([links, partners])
    expect((await created).status).toBe(201)
    expect(await linksNow()).toBe(links + 1)
    expect((await click(code)).body).toMatchObject({ success: true })
  })
})

/** SQL that breaks a step, and SQL that repairs it. */
const FAULTS = {
  "tracking cannot store it": [
    "alter table tracking.partner_programs add constraint broken check (version < 2) not valid",
    "alter table tracking.partner_programs drop constraint broken",
  ],
  "commissions cannot store it": [
    `alter table commissions.partner_programs
     add constraint broken check (version < 2 or proposed is not null) not valid`,
    "alter table commissions.partner_programs drop constraint broken",
  ],
  "it cannot be read": [
    "alter view tracking.counted_partners rename to away",
    "alter view tracking.away rename to counted_partners",
  ],
} as const

describe.each(Object.entries(FAULTS))(
  "503, and completed later, where %s:",
  (_what, [begin, end]) => {
    async function during<Result>(work: () => Promise<Result>): Promise<Result> {
      await sql.unsafe(begin)
      const result = await work().finally(() => sql.unsafe(end))
      await sql`
        update commissions.partner_programs
        set try_after = now() -- due for the sweeper
        where proposed is not null
      `
      return result
    }
    const unconfirmed = { status: 503, body: { error: expect.any(String) } }

    test("a change of a partner", async () => {
      const { partner_id } = await newPartner(program)
      const answer = await during(() => put(partner_id, { status: "suspended" }))
      expect(answer).toMatchObject(unconfirmed)
      expect(answer.headers.get("retry-after")).toBe("1")
      const status = async () => (await request("GET", `/${partner_id}`)).body.data.status
      while ((await status()) !== "suspended") await Bun.sleep(50)
    })

    test("a new partner", async () => {
      const address = email()
      const make = () => request("POST", "", { email: address, name: "Ada" })
      expect(await during(make)).toMatchObject(unconfirmed)
      while ((await make()).status !== 409) await Bun.sleep(50)
    })
  },
)

describe("after a crash", () => {
  /** Waits until the query finds nothing. Returns false if it still does after five seconds. */
  async function becomesEmpty(query: () => Promise<ArrayLike<unknown>>) {
    for (let tries = 0; tries < 100; tries++) {
      if ((await query()).length === 0) return true
      await Bun.sleep(50)
    }
    return false
  }

  test("an unpublished partner is withdrawn, and its code is free", async () => {
    const [address, code] = [email(), unique()]
    const created = await request("POST", "", { email: address, name: "Ada", code })
    const { partner_id } = created.body.data
    await sql`
      with unstored as (
        delete from commissions.partner_versions
        where partner_id = ${partner_id}
      )
      update commissions.partner_programs
      set version = 0, final_xact = null
      where partner_id = ${partner_id}
    `
    expect((await request("GET", `/${partner_id}`)).status).toBe(404)
    expect((await request("POST", "", { email: address, name: "Ada" })).status).toBe(503)

    await sql`
      update commissions.partner_programs
      set try_after = now()
      where partner_id = ${partner_id}
    `
    const rows = () => sql`
      select 1
      from commissions.partners
      where id = ${partner_id}
    `
    expect(await becomesEmpty(rows)).toBe(true)
    expect((await request("POST", "", { email: address, name: "Ada", code })).status).toBe(201)
  })

  test("a change is completed", async () => {
    const { partner_id, code } = await newPartner(program)
    await sql`
      update commissions.partner_programs
      set
        proposed = jsonb_build_object('status', 'suspended', 'group_id', group_id),
        try_after = now()
      where partner_id = ${partner_id}
    `
    const open = () => sql`
      select 1
      from commissions.partner_programs
      where partner_id = ${partner_id}
        and proposed is not null
    `
    expect(await becomesEmpty(open)).toBe(true)
    expect((await request("GET", `/${partner_id}`)).body.data.status).toBe("suspended")
    expect((await click(code)).body).toMatchObject({ success: false })
  })
})
