import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { app } from "../../../gateway/app"
import { mintToken, type TokenPrefix } from "../../../lib/token"
import { columnsContaining, dumpAllRows } from "../../support/columns"
import { launch } from "../../support/launcher"

const { PROCESSES = "one", REPLICAS = "1" } = process.env
const launcher = await launch({ PROCESSES, REPLICAS, LOG_LEVEL: "trace" })
const url = await launcher.ready
const database = await Bun.file(join(launcher.data_dir, "postgres.json")).json()
const sql = postgres(database.url, {
  max: 2,
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  onnotice: () => {},
})

const PROGRAMS = "/api/advertiser/affiliate-programs"
const PASSWORD = "canary-password-of-the-owner"
const WRONG_PASSWORD = "canary-password-that-is-wrong"
const GUEST_PASSWORD = "canary-password-of-a-guest"
const LEAD_EMAIL = "canary.lead@customers.example"
const OWNER_EMAIL = "canary.owner@accounts.example"
const GUEST_EMAIL = "canary.guest@accounts.example"
const PERSON_EMAIL = "canary.person@accounts.example"
const PARTNER_EMAIL = "canary.partner@partners.example"

const SIGNING_SECRET = "whsec_canaryOfTheProgramThatStripeSigns"

/** Where tokens are told, once each. */
const TELLS = ["token", "api_token", "key"]
const tokens = new Set<string>([SIGNING_SECRET])
const replies: { status: number; text: string }[] = []

type Sent = { token?: string; body?: unknown; headers?: Record<string, string> }

/** Sends, and keeps the reply without what it is there to tell. */
async function send(method: string, path: string, { token, body, headers }: Sent = {}) {
  const credential = token ? { authorization: `Bearer ${token}` } : {}
  const json = body === undefined ? {} : { "content-type": "application/json" }
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...json, ...credential, ...headers } as Record<string, string>,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json")
  const { data, ...rest } = isJson ? JSON.parse(text) : { data: { text } }
  const { shown, told } = withoutTold(data)
  replies.push({ status: answer.status, text: JSON.stringify({ ...rest, data: shown }) })
  return { status: answer.status, data: { ...Object(shown), ...told } as any } // each knows what
}

function withoutTold(data: unknown) {
  const fields = Object.entries(Object(data))
  const isTold = ([name, value]: [string, unknown]) =>
    TELLS.includes(name) && /^aff[kis]?_/.test(`${value}`)
  const told = Object.fromEntries(fields.filter(isTold))
  for (const token of Object.values(told)) tokens.add(`${token}`)
  if (Object.keys(told).length === 0) return { shown: data, told }
  return { shown: Object.fromEntries(fields.filter(field => !isTold(field))), told }
}

let session: string
let guest: string
let api_token: string
let key: string
let ids: Record<string, number | string>

beforeAll(async () => {
  const owner = { email: OWNER_EMAIL, password: PASSWORD, name: "Owner" }
  const signed = await send("POST", "/api/auth/sign-up", { body: owner })
  session = signed.data.token
  const program = await send("POST", PROGRAMS, {
    token: session,
    body: {
      name: "Program",
      website_url: "https://shop.example",
      stripe_signing_secret: SIGNING_SECRET,
    },
  })
  api_token = program.data.api_token
  const path = `${PROGRAMS}/${program.data.id}`
  key = (await send("POST", "/api/advertiser/api-keys", { token: session, body: { name: "Key" } }))
    .data.key
  const partner = await send("POST", `${path}/partners`, {
    token: session,
    body: { email: PARTNER_EMAIL, name: "Partner", code: "canary" },
  })
  const invited = await send("POST", `/api/workspaces/${signed.data.workspace.id}/invitations`, {
    token: session,
    body: { email: GUEST_EMAIL, role: "analyst" },
  })
  const accepted = await send("POST", "/api/auth/accept-invitation", {
    body: { token: invited.data.token, password: GUEST_PASSWORD },
  })
  guest = accepted.data.token
  const { partner_id, links } = partner.data
  const bound = await send("POST", `${path}/partners/${partner_id}/invite`, { token: session })
  await send("POST", "/api/auth/accept-invitation", {
    body: { token: bound.data.token, password: GUEST_PASSWORD, email: PERSON_EMAIL },
  })

  const groups = await send("GET", `${path}/groups`, { token: session })
  const affiliate_url = "https://shop.example/?aff=canary"
  const { click_id } = (await track("click", { affiliate_url })) as { click_id: string }
  await track("lead", { click_id, customer_key: "ada", email: LEAD_EMAIL })
  const erased = (await track("click", { affiliate_url })) as { click_id: string }
  await track("lead", { ...erased, customer_key: "grace" })
  const sale = await track("sale", { transaction_id: "t1", amount_cents: 100, click_id })
  const [lead] = await sql<[{ leadEventId: number; clickEventId: number }]>`
    select id as "leadEventId", click_event_id as "clickEventId"
    from tracking.affiliate_lead_events
    where customer_key = 'ada'
  `
  ids = {
    ...lead,
    customerKey: "grace",
    program: program.data.id,
    workspace: signed.data.workspace.id,
    userId: accepted.data.user.id,
    groupId: groups.data[0]?.id ?? 1,
    partnerId: partner_id,
    linkId: links[0].id,
    saleId: sale.sale_id as number,
    commissionId: sale.commission_id as number,
    key: 1,
  }
})

async function track(what: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v1/track/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${api_token}` },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  replies.push({ status: answer.status, text })
  return JSON.parse(text)
}

/** Bodies that carry canaries wherever a route may look. */
const fields = () => ({
  email: LEAD_EMAIL,
  password: WRONG_PASSWORD,
  name: "Canary",
  role: "analyst",
  token: mint("affi_"),
  api_token,
  affiliate_url: "https://shop.example/?aff=canary",
  customer_key: "canary key",
  click_id: "clk_canary",
  transaction_id: `canary ${tokens.size}`,
  amount_cents: 100,
  status: "canary",
  policy: { kind: "percent", rate_bps: 1_000 },
  reason: "canary",
  expires_at: mint("affs_"),
  stripe_signing_secret: SIGNING_SECRET,
  scopes: [mint("affk_")],
})

const KINDS: TokenPrefix[] = ["aff_", "affk_", "affs_", "affi_"]

/** A token that nobody gave out: it is sent, and has to be found nowhere. */
function mint(prefix: TokenPrefix): string {
  const token = mintToken(prefix)
  tokens.add(token)
  return token
}

const SIGN_OUT = "/api/auth/sign-out"
const routes = app.routes.filter(({ path }) => path !== SIGN_OUT) // last of all
type Route = (typeof routes)[number]

/** Everybody sends canaries to every route: in the body, the path, the query and the headers. */
async function sendEverything() {
  for (const { method, path } of routes) {
    const own = ownPath(path)
    const strange = path.replace(/:\w+/g, () => mint("aff_"))
    const query = `?email=${LEAD_EMAIL}&token=${mint("affs_")}&page=${mint("affk_")}`
    const body = method === "GET" ? undefined : fields()
    const everybody = [session, guest, key, api_token, "canary-junk", ...KINDS.map(mint)]

    await Promise.all([
      ...everybody.map(token => send(method, strange, { token, body })),
      ...everybody.map(token => isEnd({ method, path }) || send(method, own, { token, body })),
      send(method, own + query, { token: session, body: body && { ...body, email: 7 } }),
      send(method, own, { token: session, body: body && `{"password": "${WRONG_PASSWORD}` }),
      send(method, own, { body, headers: { cookie: `session=${session}` } }),
      send(method, own, { body, headers: { "x-workspace-id": mint("affs_") } }),
      send(method, own, { body, headers: { authorization: `Basic ${PASSWORD}` } }),
    ])
  }
  const again = { email: OWNER_EMAIL, password: WRONG_PASSWORD, name: "Again" }
  await send("POST", "/api/auth/sign-in", { body: again })
  await send("POST", "/api/auth/sign-up", { body: again })
}

/** Those whom a route is for, while a table is away. */
const sendInTrouble = () =>
  Promise.all(
    routes.flatMap(({ method, path }) => {
      const body = method === "GET" ? undefined : fields()
      return isEnd({ method, path })
        ? []
        : [session, key, api_token].map(token => send(method, ownPath(path), { token, body }))
    }),
  )

/** Ends the sessions, with canaries in the query and the body, and then asks them once more. */
async function signOut() {
  for (const token of [session, guest, session, key, api_token, ...KINDS.map(mint)]) {
    await send("POST", `${SIGN_OUT}?token=${mint("affs_")}`, { token, body: fields() })
    await send("POST", SIGN_OUT, { headers: { cookie: `session=${token}` } })
  }
}

/** What would leave nothing to send to. */
const isEnd = ({ method, path }: Pick<Route, "method" | "path">) =>
  method === "DELETE" || path.endsWith("regenerate-api-token")

const ownPath = (path: string) => path.replace(/:(\w+)/g, (_, name) => `${idIn(path, name)}`)

function idIn(path: string, name: string): number | string {
  if (name !== "id" && name !== "programId") return ids[name]!
  if (path.includes("/workspaces/")) return ids.workspace!
  return path.includes("/api-keys/") ? ids.key! : ids.program!
}

const BROKEN = [
  "identity.users",
  "identity.sessions",
  "identity.api_keys",
  "identity.invitations",
  "identity.memberships",
  "identity.programs",
  "tracking.customers",
  "tracking.referral_links",
  "tracking.affiliate_sale_events",
  "commissions.partner_programs",
  "commissions.groups",
  "reporting.daily",
]

describe("no secret", () => {
  test("is kept from all this: every kind of answer is drawn, while tables are away too", async () => {
    await sendEverything()
    for (const table of BROKEN) {
      await sql.unsafe(`alter table ${table} rename to away`)
      await sendInTrouble()
      await sql.unsafe(`alter table ${table.split(".")[0]}.away rename to ${table.split(".")[1]}`)
    }
    await signOut()
    const of = (status: number) => replies.filter(reply => reply.status === status).length
    for (const status of [200, 201, 400, 401, 403, 404, 409, 500]) {
      expect(of(status), `replies with ${status}`).toBeGreaterThan(0)
    }
  }, 120_000)

  const everyReply = () => [...new Set(replies.map(({ text }) => text))].join("\n")
  const everyRefusal = () =>
    replies.flatMap(({ status, text }) => (status >= 400 ? text : [])).join("\n")
  const passwords = [PASSWORD, WRONG_PASSWORD, GUEST_PASSWORD]
  const addresses = [OWNER_EMAIL, GUEST_EMAIL, PERSON_EMAIL, PARTNER_EMAIL]

  test("of any kind is in a reply, but where it is told once", () => {
    const text = everyReply()
    expect(tokens.size).toBeGreaterThan(100)
    expect([...tokens, ...passwords].filter(secret => text.includes(secret))).toEqual([])
    expect(everyRefusal()).not.toContain("canary")
  })

  test("of any kind is in the log, nor anybody's address", () => {
    const log = launcher.output()
    expect(log).toContain('"answered"')
    expect(log).toContain("Something went wrong on our side.")
    expect([...tokens, ...passwords].filter(secret => log.includes(secret))).toEqual([])
    expect([LEAD_EMAIL, ...addresses].filter(email => log.includes(email))).toEqual([])
  })

  test("of any kind is stored, and addresses only where their owners gave them", async () => {
    const all = await dumpAllRows(sql)
    expect([...tokens, ...passwords].filter(secret => all.includes(secret))).toEqual([])
    for (const email of addresses) {
      const columns = await columnsContaining(sql, email)
      expect(columns.filter(column => !/\.(email|email_folded)$/.test(column))).toEqual([])
    }
  })

  test("is the customer's address: of it a hash is kept, and a mask", async () => {
    const [lead] = await sql`
      select email_hash, email_masked
      from tracking.customers
      where customer_key = 'ada'
    `
    expect(lead?.email_hash).toBeString()
    const columns = await columnsContaining(sql, LEAD_EMAIL)
    expect(columns.filter(column => column.startsWith("tracking."))).toEqual([])
    expect(columns.filter(column => column.startsWith("reporting."))).toEqual([])
  })
})
