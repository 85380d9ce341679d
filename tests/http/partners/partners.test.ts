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

const JSON_TYPE = { "content-type": "application/json" } // of what is no JSON, too
const ask = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/partners${path}`, { token, body, headers: JSON_TYPE })
const put = (partner_id: number, change: object) => ask("PUT", `/${partner_id}`, change)

const click = (code: string) =>
  send("POST", "/api/v1/track/click", {
    body: { affiliate_url: `https://shop.example/?aff=${code}` },
  })

/** Sells to a customer of the click, and shows what that earned. */
async function sell(click_id: string) {
  const body = { transaction_id: unique(), amount_cents: 1_000, click_id }
  const sold = await send("POST", "/api/v1/track/sale", { token: program.api_token, body })
  if (sold.status !== 200) return { status: sold.status, commission: null }
  const path = `${program.path}/sales/${sold.body.sale_id}`
  const shown = await send("GET", path, { token: program.session })
  return { status: sold.status, commission: shown.body.data.commission }
}

/** Of this program, in whatever status. */
async function partnersOfTracking(): Promise<number> {
  const rows = await sql`
    select 1
    from tracking.partner_programs
    where program_id = ${program.program_id}
  `
  return rows.length
}

describe("partners", () => {
  test("are made with a link, and shown with what they own", async () => {
    const body = { email: `Ada-${email()}`, name: "Ada", code: unique(), status: "removed" }
    const made = await ask("POST", "", body)
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      partner_id: expect.any(Number),
      email: body.email,
      name: "Ada",
      status: "approved",
      group_id: expect.any(Number),
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
          partner_id: made.body.data.partner_id,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      created_at: expect.stringMatching(/Z$/),
    })
    await sell(await newClick(body))
    const shown = await ask("GET", `/${made.body.data.partner_id}`)
    expect(shown.body.data).toMatchObject({
      clicks: 1,
      balance_cents: 300,
      balances: [{ currency: "USD", balance_cents: 300 }],
      links: [{ clicks: 1 }],
    })
    const { data, meta } = (await ask("GET", "?pageSize=100")).body
    expect(data).toContainEqual(shown.body.data)
    expect(meta.pagination.total).toBe(data.length)
  })

  test("are new ones in each program, though they share an e-mail address", async () => {
    const same = email()
    const second = await newProgramOf(program)
    const [one, two] = [
      await newPartner(program, { email: same }),
      await newPartner(second, { email: same }),
    ]
    expect(one.partner_id).not.toBe(two.partner_id)
  })

  test("are one for an e-mail address, in whatever case, however many calls race", async () => {
    const same = email()
    const racing = Array.from({ length: 20 }, (_, i) =>
      ask("POST", "", { email: i % 2 ? same : same.toUpperCase(), name: "Ada" }),
    )
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every(status => status === 409 || status === 503)).toBe(true)
    expect((await ask("POST", "", { email: same, name: "Ada" })).status).toBe(409)
  })

  test.each([
    ["another case", "zoë", "ZOË"],
    ["another composition", "zoë", "zoe\u0308"],
    ["both", "ΖΩΉ", "ζωη\u0301"],
    ["a capital that has no composed form", "ǰ", "J\u030c"],
  ])(
    "are one for an e-mail address in %s, and shown as it was written",
    async (_what, one, other) => {
      const address = email()
      const made = await ask("POST", "", { email: one + address, name: "Zoë" })
      expect(made).toMatchObject({ status: 201, body: { data: { email: one + address } } })
      const again = await ask("POST", "", { email: other + address, name: "Zoë" })
      expect(again).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    },
  )

  test("are one for a code; the others leave nothing behind", async () => {
    const code = unique()
    const emails = Array.from({ length: 10 }, email)
    const racing = emails.map(email => ask("POST", "", { email, name: "Ada", code }))
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(9).fill(409)])

    const [{ stored }] = (await sql`
      select count(*) as stored
      from commissions.partner_programs
      where email = any(${emails})
    `) as unknown as [{ stored: number }]
    expect(stored).toBe(1)
  })

  test("refused for a code that is taken leave nothing in tracking either", async () => {
    const before = await partnersOfTracking()
    const body = { email: email(), name: "Ada", code: program.code }
    expect((await ask("POST", "", body)).status).toBe(409)
    expect(await partnersOfTracking()).toBe(before)
  })

  test("suspended, bring no clicks, and what they earn waits for approval", async () => {
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

  test("removed, earn nothing more, and stay listed", async () => {
    const { partner_id, code } = await newPartner(program)
    const click_id = await newClick({ code })
    await put(partner_id, { status: "removed" })

    expect((await click(code)).status).toBe(400)
    expect((await sell(click_id)).status).toBe(400)
    const { data } = (await ask("GET", `/${partner_id}`)).body
    expect(data).toMatchObject({ status: "removed", clicks: 1 })
    expect((await ask("GET", "?pageSize=100")).body.data).toContainEqual(data)
  })

  test("moved to another group, earn by its policy", async () => {
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

  test("end as one of those who raced to change them said, here and in tracking", async () => {
    const { partner_id } = await newPartner(program)
    const racing = Array.from({ length: 8 }, (_, i) =>
      put(partner_id, { status: i % 2 ? "suspended" : "approved" }),
    )
    expect((await Promise.all(racing)).map(({ status }) => status)).toEqual(Array(8).fill(200))

    const copies = await sql`
      select partner.version, partner.status, partner.proposed is null as is_complete,
        (copy.version, copy.status) = (partner.version, partner.status) as is_told
      from commissions.partner_programs as partner
      join tracking.partner_programs as copy using (program_id, partner_id)
      where partner_id = ${partner_id}
    `
    expect(copies[0]).toMatchObject({ version: 10, is_complete: true, is_told: true })
  })

  test.each<[number, string, string, string, unknown, (() => string)?]>([
    [401, "no credential, and no JSON either", "POST", "", "{", () => ""],
    [401, "a tracking token", "GET", "", undefined, () => program.api_token],
    [404, "another workspace's program", "POST", "", "{", () => other.session],
    [403, "an analyst who writes", "POST", "", "{", () => analyst],
    [404, "a partner that is none", "PUT", "/-1", "{"],
    [404, "a partner that is unknown", "PUT", "/999999999", "{"],
    [404, "a partner that is unknown", "GET", "/999999999", undefined],
    [400, "no JSON", "POST", "", "{"],
    [400, "no e-mail", "POST", "", { name: "A" }],
    [400, "an e-mail that is none", "POST", "", { name: "A", email: "a b@c" }],
    [400, "no name", "POST", "", { email: "a@example.com" }],
    [400, "a code that is too short", "POST", "", { name: "A", email: "a@b.c", code: "ab" }],
    [400, "an unknown group", "POST", "", { name: "A", email: "a@b.c", group_id: 999_999_999 }],
    [400, "an odd page", "GET", "?page=0", undefined],
  ])("%i: %s", async (status, _why, method, path, body, token) => {
    const answer = await ask(method, path, body, token?.())
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each([
    ["an unknown status", { status: "friendly" }],
    ["no status", { status: null }],
    ["an unknown group", { group_id: 999_999_999 }],
  ])("400, and no change: %s", async (_why, change) => {
    const { partner_id } = await newPartner(program)
    const before = (await ask("GET", `/${partner_id}`)).body
    expect((await put(partner_id, change)).status).toBe(400)
    expect((await ask("GET", `/${partner_id}`)).body).toEqual(before)
  })

  test("another program's partner is missing, and its group is no group", async () => {
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
  const { status, body } = await ask("GET", `/${partner_id}`)
  expect(status).toBe(200)
  const ids = body.data.links.map(({ id }: { id: number }) => id)
  expect(new Set(ids).size).toBe(1_201)
  expect(ids).toEqual(ids.toSorted((one: number, two: number) => one - two))
})

describe("a partner whose creation is half-way", () => {
  test("brings nobody, and has no link, until it is shown", async () => {
    const code = unique()
    const linksNow = async () => {
      const path = `${program.path}/referral-links`
      return (await send("GET", path, { token: program.session })).body.meta.pagination.total
    }
    const partnersNow = async () => (await ask("GET", "")).body.meta.pagination.total
    const [links, partners] = [await linksNow(), await partnersNow()]
    const letLink = await lockTable("tracking.referral_links", "exclusive")
    const made = ask("POST", "", { email: email(), name: "Ada", code })
    await waitForBlockedSessions(1, "tracking.referral_links") // it is stored in commissions, and tracking has been told
    const letPublish = await lockTable("commissions.partner_programs", "share")
    await letLink()
    await waitForBlockedSessions(1, "commissions.partner_programs")
    const [clicked, seen] = [await click(code), await linksNow()]
    const shown = await partnersNow()
    await letPublish()

    expect(clicked.status).toBe(400)
    expect([seen, shown]).toEqual([links, partners])
    expect((await made).status).toBe(201)
    expect(await linksNow()).toBe(links + 1)
    expect((await click(code)).body).toMatchObject({ success: true })
  })
})

/** What goes wrong in a test, and how it ends. */
const FAULTS = {
  "tracking cannot be told": [
    "alter table tracking.partner_programs add constraint broken check (version < 2) not valid",
    "alter table tracking.partner_programs drop constraint broken",
  ],
  "it cannot be stored": [
    `alter table commissions.partner_programs
     add constraint broken check (version < 2 or proposed is not null) not valid`,
    "alter table commissions.partner_programs drop constraint broken",
  ],
  "it cannot be shown": [
    "alter view tracking.counted_partners rename to away",
    "alter view tracking.away rename to counted_partners",
  ],
} as const

describe.each(Object.entries(FAULTS))(
  "503, since it will be so, where %s:",
  (_what, [begin, end]) => {
    async function during<Result>(work: () => Promise<Result>): Promise<Result> {
      await sql.unsafe(begin)
      const result = await work().finally(() => sql.unsafe(end))
      await sql`
        update commissions.partner_programs
        set try_after = now() -- of the sweeper
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
      const status = async () => (await ask("GET", `/${partner_id}`)).body.data.status
      while ((await status()) !== "suspended") await Bun.sleep(50)
    })

    test("a new partner", async () => {
      const address = email()
      const make = () => ask("POST", "", { email: address, name: "Ada" })
      expect(await during(make)).toMatchObject(unconfirmed)
      while ((await make()).status !== 409) await Bun.sleep(50)
    })
  },
)

describe("what a crash left half-way", () => {
  /** Waits until there is nothing to be seen any more of what `query` finds. */
  async function gone(query: () => Promise<ArrayLike<unknown>>) {
    for (let tries = 0; tries < 100; tries++) {
      if ((await query()).length === 0) return true
      await Bun.sleep(50)
    }
    return false
  }

  test("a partner that nobody has seen is withdrawn, and its code is free", async () => {
    const [address, code] = [email(), unique()]
    const made = await ask("POST", "", { email: address, name: "Ada", code })
    const { partner_id } = made.body.data
    await sql`
      update commissions.partner_programs
      set version = 0, final_xact = null
      where partner_id = ${partner_id}
    `
    expect((await ask("GET", `/${partner_id}`)).status).toBe(404)
    expect((await ask("POST", "", { email: address, name: "Ada" })).status).toBe(503)

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
    expect(await gone(rows)).toBe(true)
    expect((await ask("POST", "", { email: address, name: "Ada", code })).status).toBe(201)
  })

  test("a change is brought to its end", async () => {
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
    expect(await gone(open)).toBe(true)
    expect((await ask("GET", `/${partner_id}`)).body.data.status).toBe("suspended")
    expect((await click(code)).body).toMatchObject({ success: false })
  })
})
