import { beforeAll, describe, expect, test } from "bun:test"
import { sell } from "../../support/books"
import { newKey } from "../../support/key"
import { newManyPartners } from "../../support/many-partners"
import { newPartnerAccount } from "../../support/partner-account"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
let group_id: number
const ids: Record<string, number> = {}

const tag = `${process.pid}-${Date.now().toString(36)}`
const request = (method: string, path: string, body?: unknown, token = program.session) =>
  send(method, `${program.path}/partners${path}`, { token, body })
const list = async (query: string) => (await request("GET", `?pageSize=100&${query}`)).body
const namesOf = async (query: string) =>
  (await list(query)).data.map(({ name }: { name: string }) => name)

/** Ada has sold, Bob has clicks, Çelik is in a group of her own, Dora is suspended. */
beforeAll(async () => {
  program = await newProgram()
  other = await newProgram()
  const group = { name: "VIP", policy: { kind: "percent", rate_bps: 5_000 } }
  const made = await send("POST", `${program.path}/groups`, { token: program.session, body: group })
  group_id = made.body.data.id
  await request("PUT", `/${program.partner_id}`, { status: "removed", name: "Zero" })

  const partners = [
    { name: "Ada", email: `Ada.${tag}@Shop.example`, code: `alpha-${tag}` },
    { name: "bob", email: `bob.${tag}@mail.example`, code: `beta-${tag}` },
    { name: "Çelik", email: `c.${tag}@shop.example`, code: `gamma-${tag}`, group_id },
    { name: "Dora_100%", email: `d.${tag}@mail.example`, code: `Delta-${tag}` },
  ]
  for (const fields of partners) {
    ids[fields.name] = (await newPartner(program, fields)).partner_id
  }
  await sell(program, `alpha-${tag}`)
  for (const code of ["beta", "beta", "beta", "gamma"]) {
    await newClick({ code: `${code}-${tag}` })
  }
  await request("PUT", `/${ids["Dora_100%"]}`, { status: "suspended" })
})

describe("GET …/partners", () => {
  test("lists all of them by id, with what they add up to", async () => {
    const { data, meta } = await list("")
    expect(data.map(({ name }: { name: string }) => name)).toEqual([
      "Zero",
      "Ada",
      "bob",
      "Çelik",
      "Dora_100%",
    ])
    const balance = data[1].balances[0]
    expect(balance.balance_cents).toBeGreaterThan(0)
    expect(meta).toMatchObject({
      statuses: { approved: 3, suspended: 1, removed: 1 },
      balances: [balance],
      pagination: { total: 5 },
    })
  })

  test.each([
    ["status=approved", ["Ada", "bob", "Çelik"]],
    ["status=suspended", ["Dora_100%"]],
    ["search=ADA", ["Ada"]],
    ["search=çELİK".toLowerCase(), []],
    ["search=%C3%87ELIK", ["Çelik"]],
    ["search=shop.EXAMPLE", ["Ada", "Çelik"]],
    ["search=DELTA-", ["Dora_100%"]],
    ["search=100%25", ["Dora_100%"]],
    ["search=_", ["Dora_100%"]],
    ["search=%25", ["Dora_100%"]],
    ["search=elsewhere", []],
    ["search=mail.example&status=approved", ["bob"]],
    ["search=", ["Zero", "Ada", "bob", "Çelik", "Dora_100%"]],
    ["group_id=999999999", []],
  ])("%s finds %p", async (query, names) => {
    expect(await namesOf(query)).toEqual(names)
  })

  test("narrows to a group", async () => {
    expect(await namesOf(`group_id=${group_id}`)).toEqual(["Çelik"])
    const { statuses } = (await list(`group_id=${group_id}&status=removed`)).meta
    expect(statuses).toEqual({ approved: 1, suspended: 0, removed: 0 })
  })

  test.each([
    ["name", ["Ada", "bob", "Dora_100%", "Zero", "Çelik"]],
    ["-name", ["Çelik", "Zero", "Dora_100%", "bob", "Ada"]],
    ["clicks", ["Zero", "Dora_100%", "Ada", "Çelik", "bob"]],
    ["-clicks", ["bob", "Ada", "Çelik", "Zero", "Dora_100%"]],
    ["-balance_cents", ["Ada", "Zero", "bob", "Çelik", "Dora_100%"]],
    ["balance_cents", ["Zero", "bob", "Çelik", "Dora_100%", "Ada"]],
    ["created_at", ["Zero", "Ada", "bob", "Çelik", "Dora_100%"]],
    ["-created_at", ["Dora_100%", "Çelik", "bob", "Ada", "Zero"]],
  ])("sorts by %s, then by id", async (sort, names) => {
    expect(await namesOf(`sort=${sort}`)).toEqual(names)
    const pages = await Promise.all(
      [1, 2, 3].map(page => request("GET", `?pageSize=2&page=${page}&sort=${sort}`)),
    )
    const paged = pages.flatMap(({ body }) => body.data)
    expect(paged.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test("says whether an account is bound, an invitation is open, or neither", async () => {
    const accounts = async () =>
      (await list("")).data.map(({ account }: { account: string }) => account)
    const [ada, bob] = [ids.Ada!, ids.bob!]
    expect(await accounts()).toEqual(Array(5).fill("none"))

    await request("POST", `/${ada}/invite`)
    await newPartnerAccount({ ...program, partner_id: bob })
    expect(await accounts()).toEqual(["none", "invited", "bound", "none", "none"])
    expect((await request("GET", `/${bob}`)).body.data.account).toBe("bound")

    await request("DELETE", `/${bob}/account`)
    expect(await accounts()).toEqual(["none", "invited", "none", "none", "none"])
  })

  test("shows none of another program", async () => {
    const { body } = await send("GET", `${other.path}/partners?search=${tag}&sort=-clicks`, {
      token: other.session,
    })
    expect(body.data).toEqual([])
    expect(body.meta.statuses).toEqual({ approved: 0, suspended: 0, removed: 0 })
  })

  test.each([
    ["status=gone"],
    ["group_id=one"],
    ["group_id=0"],
    ["sort=email"],
    ["sort=constructor"],
    [`search=${"x".repeat(256)}`],
    ["search=%00"],
  ])("400: %s", async query => {
    const { key } = await newKey(program, { scopes: ["program:read"] })
    const { status, body } = await request("GET", `?${query}`, undefined, key)
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
  })
})

test("finds and sorts among more partners than one message of tracking names", async () => {
  const big = await newProgram()
  const size = 10_100
  // Space of clicks that have been counted, which is read like clicks that wait.
  await sql`
    insert into tracking.uncounted_clicks (link_ids, clicked_at)
    select '{}', now()
    from generate_series(1, 50000)
  `
  await sql`
    delete from tracking.uncounted_clicks
    where link_ids = '{}'
  `
  // From here on, statistics are outdated.
  await sql`analyze commissions.partner_programs, tracking.partner_programs`
  await newManyPartners(big, size, { name: "Many", code: `many-${tag}` })
  await newClick({ code: `many-${tag}-10099` })
  const ask = async (query: string) => {
    for (let tries = 1; ; tries++) {
      const reply = await send("GET", `${big.path}/partners?${query}`, { token: big.session })
      if (reply.status !== 503 || tries === 3) return reply
      await Bun.sleep(1_000 * Number(reply.headers.get("retry-after"))) // on a busy machine
    }
  }

  const found = (await ask(`search=many-${tag}-1009`)).body
  expect(found.meta.pagination.total).toBe(11) // 1009 and 10090 to 10099
  const { data, meta } = (await ask(`search=many-${tag}&sort=-clicks&pageSize=2`)).body
  expect(meta).toMatchObject({ pagination: { total: size }, statuses: { approved: size } })
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["Many 10099", "Many 1"])
}, 60_000)
