import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { app } from "../../../gateway/app"
import { mintToken, type TokenPrefix } from "../../../lib/token"
import { columnsContaining, dumpAllRows } from "../../support/columns"
import { untilCopied } from "../../support/event-log"
import { httpClient, type RequestOptions } from "../../support/http"
import { launch } from "../../support/launcher"
import { RECEIVER, TRACKER } from "../../support/receiver"

const { PROCESSES = "one", REPLICAS = "1" } = process.env
const launcher = await launch({ PROCESSES, REPLICAS, LOG_LEVEL: "trace" })
const request = httpClient(await launcher.ready)
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

/** Reply fields that show a new token, once. */
const TOKEN_FIELDS = ["token", "api_token", "key", "secret"]
const tokens = new Set<string>([SIGNING_SECRET])
const replies: { status: number; text: string }[] = []

/** Sends a request and records the reply without the new tokens that it is meant to show. */
async function send(method: string, path: string, options?: RequestOptions) {
  const { status, body } = await request(method, path, options)
  const { data, ...rest } = typeof body === "string" ? { data: { text: body } } : body
  const { shown, newTokens } = withoutNewTokens(data)
  replies.push({ status, text: JSON.stringify({ ...rest, data: shown }) })
  const reply: any = { ...Object(shown), ...newTokens } // any: it varies by route
  return { status, data: reply }
}

function withoutNewTokens(data: unknown) {
  const fields = Object.entries(Object(data))
  const isNewToken = ([name, value]: [string, unknown]) =>
    TOKEN_FIELDS.includes(name) && /^(aff[kis]?|whsec)_/.test(`${value}`)
  const newTokens = Object.fromEntries(fields.filter(isNewToken))
  for (const token of Object.values(newTokens)) tokens.add(`${token}`)
  if (Object.keys(newTokens).length === 0) return { shown: data, newTokens }
  return { shown: Object.fromEntries(fields.filter(field => !isNewToken(field))), newTokens }
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
  const endpoint = await send("POST", "/api/advertiser/webhook-endpoints", {
    token: session,
    body: { url: RECEIVER, events: ["*"] },
  })
  const tested = await send("POST", `/api/advertiser/webhook-endpoints/${endpoint.data.id}/test`, {
    token: session,
  })
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

  const postback = await send("POST", `${path}/postbacks`, {
    token: session,
    body: { url: TRACKER, events: ["sale"] },
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
    endpoint: endpoint.data.id,
    deliveryId: tested.data.delivery_id,
    postbackId: postback.data.id,
  }
})

async function track(what: string, body: object): Promise<Record<string, unknown>> {
  const reply = await request("POST", `/api/v1/track/${what}`, { token: api_token, body })
  replies.push({ status: reply.status, text: JSON.stringify(reply.body) })
  return reply.body
}

/** A body with canaries in every field that a route may read. */
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

/** Makes a token that was never issued. It is sent and must be found nowhere. */
function mint(prefix: TokenPrefix): string {
  const token = mintToken(prefix)
  tokens.add(token)
  return token
}

const SIGN_OUT = "/api/auth/sign-out"
const OUTBOX = "/dev/outbox" // shows the tokens of invitations on purpose, without a mail server
const routes = app.routes.filter(({ path }) => path !== SIGN_OUT && path !== OUTBOX) // signs out last
type Route = (typeof routes)[number]

/** Sends canaries to every route as every caller: in body, path, query and headers. */
async function sendEverything() {
  for (const { method, path } of routes) {
    const own = ownPath(path)
    const junkPath = path.replace(/:\w+/g, () => mint("aff_"))
    const token = path === "/invitation" ? "" : mint("affs_") // its form contains the token of its address
    const query = `?email=${LEAD_EMAIL}&token=${token}&page=${mint("affk_")}`
    const body = method === "GET" ? undefined : fields()
    const credentials = [session, guest, key, api_token, "canary-junk", ...KINDS.map(mint)]

    await Promise.all([
      ...credentials.map(token => send(method, junkPath, { token, body })),
      ...credentials.map(
        token => isDestructive({ method, path }) || send(method, own, { token, body }),
      ),
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

/** Calls every route with valid credentials, while a table is missing. */
const sendWithMissingTable = () =>
  Promise.all(
    routes.flatMap(({ method, path }) => {
      const body = method === "GET" ? undefined : fields()
      return isDestructive({ method, path })
        ? []
        : [session, key, api_token].map(token => send(method, ownPath(path), { token, body }))
    }),
  )

/** Signs out with canaries in query and body, and again once the sessions have ended. */
async function signOut() {
  for (const token of [session, guest, session, key, api_token, ...KINDS.map(mint)]) {
    await send("POST", `${SIGN_OUT}?token=${mint("affs_")}`, { token, body: fields() })
    await send("POST", SIGN_OUT, { headers: { cookie: `session=${token}` } })
  }
}

/** Whether a route removes what later requests need. */
const isDestructive = ({ method, path }: Pick<Route, "method" | "path">) =>
  method === "DELETE" || path.endsWith("regenerate-api-token")

const ownPath = (path: string) => path.replace(/:(\w+)/g, (_, name) => `${idIn(path, name)}`)

function idIn(path: string, name: string): number | string {
  if (name !== "id" && name !== "programId") return ids[name]!
  if (path.includes("/workspaces/")) return ids.workspace!
  if (path.includes("/webhook-endpoints/")) return ids.endpoint!
  return path.includes("/api-keys/") ? ids.key! : ids.program!
}

const passwords = [PASSWORD, WRONG_PASSWORD, GUEST_PASSWORD]

/** The tokens and passwords that a text contains. Only where one may begin, tokens are looked up. */
function secretsIn(text: string): string[] {
  const lengths = [...new Set([...tokens].map(token => token.length))]
  const found = [...text.matchAll(/aff[kis]?_|whsec_/g)].flatMap(({ index }) =>
    lengths.map(length => text.slice(index, index + length)).filter(each => tokens.has(each)),
  )
  return [...new Set(found), ...passwords.filter(password => text.includes(password))]
}

test("secretsIn finds what stands within other text", () => {
  const [token] = [...tokens]
  expect(secretsIn(`x${token}y ${PASSWORD}`)).toEqual([token!, PASSWORD])
})

const RENAMED_TABLES = [
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
  "delivery.webhook_endpoints",
  "delivery.postbacks",
  "reporting.daily",
]

describe("secrets:", () => {
  test("every kind of reply occurs, also while tables are missing", async () => {
    await sendEverything()
    for (const table of RENAMED_TABLES) {
      await sql.unsafe(`alter table ${table} rename to away`)
      await sendWithMissingTable()
      await sql.unsafe(`alter table ${table.split(".")[0]}.away rename to ${table.split(".")[1]}`)
    }
    await signOut()
    const countOf = (status: number) => replies.filter(reply => reply.status === status).length
    for (const status of [200, 201, 400, 401, 403, 404, 409, 500]) {
      expect(countOf(status), `replies with ${status}`).toBeGreaterThan(0)
    }
  }, 120_000)

  const everyReply = () => [...new Set(replies.map(({ text }) => text))].join("\n")
  const everyRefusal = () =>
    replies.flatMap(({ status, text }) => (status >= 400 ? text : [])).join("\n")
  const addresses = [OWNER_EMAIL, GUEST_EMAIL, PERSON_EMAIL, PARTNER_EMAIL]

  test("no secret is in a reply, except a new token once", () => {
    const text = everyReply()
    expect(tokens.size).toBeGreaterThan(100)
    expect(secretsIn(text)).toEqual([])
    expect(everyRefusal()).not.toContain("canary")
  })

  test("no secret and no e-mail address is in the log", () => {
    const log = launcher.output()
    expect(log).toContain('"answered"')
    expect(log).toContain("Something went wrong on our side.")
    expect(secretsIn(log)).toEqual([])
    expect([LEAD_EMAIL, ...addresses].filter(email => log.includes(email))).toEqual([])
  })

  test("no secret is stored, and addresses only in e-mail columns", async () => {
    const all = await dumpAllRows(sql)
    expect(secretsIn(all)).toEqual([])
    const columnsOf = async (email: string) =>
      (await columnsContaining(sql, email)).filter(
        column => !/\.(email|email_folded)$/.test(column),
      )
    const people = addresses.filter(email => email !== PARTNER_EMAIL)
    expect((await Promise.all(people.map(columnsOf))).flat()).toEqual([])
    // What advertisers are sent of a partner, as the API shows it to them.
    await untilCopied(sql)
    expect(await columnsOf(PARTNER_EMAIL)).toEqual([
      "commissions.outgoing_events.data",
      "delivery.events.data",
    ])
  })

  test("a customer's address is stored only as a hash and a mask", async () => {
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
