import { beforeAll, describe, expect, test } from "bun:test"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newPartnerAccount } from "../../support/partner-account"
import {
  newPostback,
  OWN_POSTBACKS,
  partnerPostbacks,
  programPostbacks,
} from "../../support/postback"
import { newPartner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { TRACKER } from "../../support/receiver"
import { send, sql } from "../../support/world"

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let program: TestProgram
let foreign: TestProgram
let account: string
beforeAll(async () => {
  program = await newProgram()
  foreign = await newProgram()
  account = await newPartnerAccount(program)
})

type Owner = [name: string, path: () => string, token: () => string, program: () => number | null]
const OWNERS: Owner[] = [
  ["a program", () => programPostbacks(program), () => program.session, () => program.program_id],
  [
    "a partner, by the advertiser",
    () => partnerPostbacks(program),
    () => program.session,
    () => program.program_id,
  ],
  ["a partner, by itself", () => OWN_POSTBACKS, () => account, () => null],
]

const everything = () => sql`select postbacks::text from delivery.postbacks order by id`

describe.each(OWNERS)("postbacks of %s:", (_name, path, token, program_id) => {
  const call = (method: string, rest = "", body?: object) =>
    send(method, path() + rest, { token: token(), body })
  const create = (fields: object) => call("POST", "", { url: TRACKER, events: ["sale"], ...fields })

  test("one is created, shown, listed, changed and deleted", async () => {
    const created = await create({ events: ["sale", "paid", "sale"] })
    const { id } = created.body.data
    const postback = {
      id: expect.any(Number),
      program_id: program_id(),
      url: TRACKER,
      method: "GET",
      body: null,
      events: ["sale", "paid"],
      dialect: "tributary",
      status: "enabled",
      created_at: TIME,
    }
    expect(created).toMatchObject({ status: 201, body: { data: postback } })
    expect(Object.keys(created.body.data)).toEqual(Object.keys(postback))
    expect((await call("GET", `/${id}`)).body).toEqual(created.body)
    expect((await call("GET", "?pageSize=100")).body.data).toContainEqual(created.body.data)

    const body = { type: "json", template: '{"payout": {payout}, "sub": "{s2}"}' }
    const changes = { method: "POST", body, dialect: "affise", status: "disabled" }
    const changed = await call("PUT", `/${id}`, changes)
    const after = { ...created.body.data, ...changes }
    expect(changed).toMatchObject({ status: 200, body: { data: after } })
    expect((await call("GET", `/${id}`)).body.data).toEqual(after)
    expect((await call("PUT", `/${id}`, {})).body.data).toEqual(after)
    const plain = await call("PUT", `/${id}`, { method: "GET", body: null, events: ["lead"] })
    expect(plain.body.data).toEqual({ ...after, method: "GET", body: null, events: ["lead"] })

    const deleted = await call("DELETE", `/${id}`)
    expect(deleted).toMatchObject({ status: 200, body: plain.body })
    expect((await call("GET", `/${id}`)).status).toBe(404)
    expect((await call("DELETE", `/${id}`)).status).toBe(404)
  })

  test.each<[string, object, string]>([
    ["no url", { url: undefined }, "url"],
    ["a url that is null", { url: null }, "url"],
    ["text that is no url", { url: "postback" }, "url must begin with https:// and a host."],
    ["http", { url: "http://127.66.0.1/{sub1}" }, "The URL must begin with https."],
    ["a user", { url: "https://a:b@127.66.0.1/" }, "The URL must not contain a user"],
    ["another port", { url: "https://127.66.0.1:444/" }, "The URL must have the port 443 or 8443"],
    ["a private address", { url: "https://10.0.0.1/?a={sub1}" }, "public addresses"],
    ["a private address in IPv6", { url: "https://[::ffff:127.0.0.1]/" }, "public addresses"],
    ["a name that does not resolve", { url: "https://tracker.invalid/" }, "does not resolve"],
    ["2,049 characters", { url: TRACKER.padEnd(2_049, "x") }, "2,048"],
    ["a macro in the host", { url: "https://{sub1}.example/" }, "path and query only"],
    ["a macro in the fragment", { url: `${TRACKER}#{sub1}` }, "path and query only"],
    ["an unknown macro", { url: `${TRACKER}&a={foo}` }, "unknown macro, {foo}"],
    ["another dialect's macro", { url: `${TRACKER}&a={transactionid}` }, "unknown macro"],
    ["an e-mail address", { url: `${TRACKER}&a={email}` }, "no customer's data"],
    ["an IP address", { url: `${TRACKER}&a={ip}` }, "no customer's data"],
    ["a customer key", { url: `${TRACKER}&a={customer_key}` }, "no customer's data"],
    ["no events", { events: undefined }, "events"],
    ["an empty list of events", { events: [] }, "events"],
    ["an unknown event", { events: ["sale", "click"] }, "events"],
    ["a type of webhooks", { events: ["commission.created"] }, "events"],
    ["an unknown method", { method: "PUT" }, "method"],
    ["an unknown dialect", { dialect: "voluum" }, "dialect"],
    ["an unknown status", { status: "paused" }, "status"],
    ["a body with GET", { body: { type: "form", template: "a={sub1}" } }, "body must be absent"],
    ["a body that is text", { method: "POST", body: "a={sub1}" }, "body"],
    ["an unknown type of body", { method: "POST", body: { type: "xml", template: "" } }, "body"],
    [
      "a macro in a name of a form",
      { method: "POST", body: { type: "form", template: "{sub1}=1" } },
      "not in their names",
    ],
    [
      "a macro in a key of JSON",
      { method: "POST", body: { type: "json", template: '{"{sub1}": 1}' } },
      "not in keys",
    ],
    [
      "JSON that is none",
      { method: "POST", body: { type: "json", template: '{"a": {sub1}}' } },
      "in quotes",
    ],
  ])("400: %s", async (_why, fields, sentence) => {
    const before = await everything()
    const refused = { status: 400, body: { error: expect.stringContaining(sentence) } }
    expect(await create(fields)).toMatchObject(refused)
    expect(await everything()).toEqual(before)
  })

  test("400: a change that does not fit the rest", async () => {
    const { id } = (await create({})).body.data
    const before = await everything()
    const form = { type: "form", template: "a={sub1}" }
    for (const changes of [
      { body: form },
      { url: `${TRACKER}&a={foo}` },
      { url: "https://127.0.0.1/" },
      { events: [] },
      { url: null },
    ]) {
      expect((await call("PUT", `/${id}`, changes)).status).toBe(400)
    }
    expect(await everything()).toEqual(before)
    await call("PUT", `/${id}`, { method: "POST", body: form, dialect: "affise" })
    const withOrder = { url: `${TRACKER}&order={transactionid}` } // only Affise's
    expect((await call("PUT", `/${id}`, withOrder)).status).toBe(200)
    expect((await call("PUT", `/${id}`, { dialect: "tune" })).status).toBe(400)
    await call("DELETE", `/${id}`)
  })

  test.each(["abc", "0", "-1", "9007199254740991"])("404: the id is %s", async id => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await call(method, `/${id}`, method === "GET" ? undefined : {})).status).toBe(404)
    }
  })

  test("lists are in pages", async () => {
    const ids = [await newPostback(path(), token()), await newPostback(path(), token())]
    const { body } = await call("GET", "?page=2&pageSize=1")
    expect(body).toMatchObject({ data: [{ id: ids[1] }], meta: { pagination: { total: 2 } } })
    expect((await call("GET", "?page=0")).status).toBe(400)
    for (const id of ids) await call("DELETE", `/${id}`)
  })
})

describe("409: the 21st postback", () => {
  test("of a program, of a partner, and of a partner's own", async () => {
    const owner = await newProgram()
    const session = await newPartnerAccount(owner)
    const own = [
      [programPostbacks(owner), owner.session],
      [partnerPostbacks(owner), owner.session],
      [OWN_POSTBACKS, session],
    ] as const
    for (const [path, token] of own) {
      const body = { url: TRACKER, events: ["sale"] }
      const races = Array.from({ length: 22 }, () => send("POST", path, { token, body }))
      const statuses = (await Promise.all(races)).map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array(20).fill(201), 409, 409])
      const { body: listed } = await send("GET", `${path}?pageSize=100`, { token })
      expect(listed.data).toHaveLength(20)
      await send("DELETE", `${path}/${listed.data[0].id}`, { token })
      expect((await send("POST", path, { token, body })).status).toBe(201)
    }
  })
})

describe("a partner's own postbacks", () => {
  test("are for one of its programs, or for all of them", async () => {
    const program_id = program.program_id
    const id = await newPostback(OWN_POSTBACKS, account, { program_id })
    const at = `${OWN_POSTBACKS}/${id}`
    const put = (body: object) => send("PUT", at, { token: account, body })
    expect((await put({ events: ["paid"] })).body.data.program_id).toBe(program_id)
    expect((await put({ program_id: null })).body.data.program_id).toBeNull()
    for (const other of [foreign.program_id, Number.MAX_SAFE_INTEGER]) {
      const error = "program_id is not a program that you have joined."
      expect(await put({ program_id: other })).toMatchObject({ status: 400, body: { error } })
      const body = { url: TRACKER, events: ["sale"], program_id: other }
      const created = await send("POST", OWN_POSTBACKS, { token: account, body })
      expect(created).toMatchObject({ status: 400, body: { error } })
    }
    expect((await put({ program_id: 0 })).status).toBe(400)
    await send("DELETE", at, { token: account })
  })

  test("404 for other partners and for advertisers, whose own are 404 for the partner", async () => {
    const other = await newPartnerAccount({ ...program, ...(await newPartner(program)) })
    const own = await newPostback(OWN_POSTBACKS, account)
    const ofPartner = await newPostback(partnerPostbacks(program), program.session)
    const ofProgram = await newPostback(programPostbacks(program), program.session)
    const { key } = await newKey(foreign)
    const sibling = await newProgramOf(program)
    const elsewhere = await newPartner(program)
    const hidden: [path: string, id: number, token: string][] = [
      [OWN_POSTBACKS, own, other],
      [OWN_POSTBACKS, ofPartner, account],
      [OWN_POSTBACKS, ofProgram, account],
      [partnerPostbacks(program), own, program.session],
      [partnerPostbacks(program), ofProgram, program.session],
      [partnerPostbacks({ ...program, ...elsewhere }), ofPartner, program.session],
      [programPostbacks(program), own, program.session],
      [programPostbacks(program), ofPartner, program.session],
      [programPostbacks(sibling), ofProgram, program.session],
      [programPostbacks(foreign), ofProgram, foreign.session],
      [programPostbacks(program), ofProgram, foreign.session],
      [programPostbacks(program), ofProgram, key],
    ]
    const before = await everything()
    for (const [path, id, token] of hidden) {
      const listed = await send("GET", `${path}?pageSize=100`, { token })
      const ids = listed.body.data?.map(({ id }: { id: number }) => id) ?? []
      expect(ids).not.toContain(id)
      for (const method of ["GET", "PUT", "DELETE"]) {
        const body = method === "GET" ? undefined : {}
        expect((await send(method, `${path}/${id}`, { token, body })).status).toBe(404)
      }
    }
    expect(await everything()).toEqual(before)
  })

  test("members who look on as the partner can neither see nor write them", async () => {
    const query = `?program_id=${program.program_id}&as_partner=${program.partner_id}`
    const path = OWN_POSTBACKS + query
    const body = { url: TRACKER, events: ["sale"] }
    expect((await send("GET", path, { token: program.session })).status).toBe(403)
    expect((await send("POST", path, { token: program.session, body })).status).toBe(403)
  })
})

test("409: an archived program's postbacks can only be read and deleted", async () => {
  const owner = await newProgram()
  for (const path of [programPostbacks(owner), partnerPostbacks(owner)]) {
    await newPostback(path, owner.session)
  }
  await send("DELETE", owner.path, { token: owner.session, body: {} })
  for (const path of [programPostbacks(owner), partnerPostbacks(owner)]) {
    const call = (method: string, rest: string, body?: object) =>
      send(method, path + rest, { token: owner.session, body })
    const [{ id }] = (await call("GET", "")).body.data
    expect((await call("POST", "", { url: TRACKER, events: ["sale"] })).status).toBe(409)
    expect((await call("PUT", `/${id}`, { status: "disabled" })).status).toBe(409)
    expect((await call("DELETE", `/${id}`)).status).toBe(200)
  }
})

describe.each<[string, (program: TestProgram) => string]>([
  ["a program's", programPostbacks],
  ["a partner's", partnerPostbacks],
  ["a partner's own", () => OWN_POSTBACKS],
])("%s routes", (name, path) => {
  for (const method of ["GET", "POST"]) refusesBadCredentials(method, path)
  for (const method of ["GET", "PUT", "DELETE"]) {
    refusesBadCredentials(method, program => `${path(program)}/1`)
  }
  if (name === "a program's") {
    refusesUnknownPrograms("POST", id => `/api/advertiser/affiliate-programs/${id}/postbacks`)
  }
})
