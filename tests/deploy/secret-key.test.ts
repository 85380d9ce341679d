import { beforeAll, describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { join } from "node:path"
import postgres from "postgres"
import Stripe from "stripe"
import { randomText } from "../../deploy/data-dir"
import { httpClient } from "../support/http"
import { type Launcher, launch } from "../support/launcher"
import { mailsTo } from "../support/outbox"
import { RECEIVER } from "../support/receiver"
import { stopTributary } from "../support/tributary-process"

const TIMEOUT_MS = 60_000
const SIGNING_SECRET = "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH"
const ENDPOINTS = "/api/advertiser/webhook-endpoints"
const EMAIL = "ann@example.com"
const GUEST = "guest@example.com"
const [OLD, NEW, WRONG] = [randomText(), randomText(), randomText()]

test.each(["short", "x".repeat(31)])(
  "SECRET_KEY of less than 32 characters is refused: %s",
  async key => {
    const launcher = await launch({ SECRET_KEY: key })
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toBe(
      `SECRET_KEY must have at least 32 characters. It has ${key.length}.\n`,
    )
  },
)

describe("SECRET_KEY is changed:", () => {
  let data_dir: string
  let launcher: Launcher
  let request: ReturnType<typeof httpClient>
  let session: string
  let endpointPath: string
  let program: { id: number; api_token: string; code: string }

  /** Stops what runs, and starts it again on the same data with other keys. */
  async function restart(environment: Record<string, string>) {
    if (launcher) await stopTributary(launcher)
    launcher = await launch({ ...(data_dir && { DATA_DIR: data_dir }), ...environment })
    request = httpClient(await launcher.ready)
    data_dir = launcher.data_dir
  }

  beforeAll(async () => {
    await restart({ SECRET_KEY: OLD })
    const post = async (path: string, body: object, token?: string) =>
      (await request("POST", path, { body, token })).body.data
    const account = { email: "owner@example.com", password: randomText(), name: "Owner" }
    const { token } = await post("/api/auth/sign-up", account)
    const programs = "/api/advertiser/affiliate-programs"
    const fields = { name: "Shop", stripe_signing_secret: SIGNING_SECRET }
    const { id, api_token } = await post(programs, fields, token)
    const partner = { email: "partner@example.com", name: "Partner" }
    const { links } = await post(`${programs}/${id}/partners`, partner, token)
    program = { id, api_token, code: links[0].code }
    const endpoint = { url: RECEIVER, events: ["*"] }
    const workspace_id = (await request("GET", "/api/auth/session", { token })).body.data
      .memberships[0].workspace.id
    await post(
      `/api/workspaces/${workspace_id}/invitations`,
      { email: GUEST, role: "analyst" },
      token,
    )
    await mailsTo(data_dir, GUEST)
    endpointPath = `${ENDPOINTS}/${(await post(ENDPOINTS, endpoint, token)).id}`
    session = token
    await signUp()
  }, TIMEOUT_MS)

  test(
    "SECRET_KEY_PREVIOUS opens what it sealed, and e-mail addresses still compare",
    async () => {
      await restart({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })
      expect(await deliver()).toBe(200)
      expect(await deliver("whsec_another")).toBe(400)
      expect(await recipients()).toEqual([GUEST])
      await signUp()
      expect((await hashes()).size).toBe(1)
    },
    TIMEOUT_MS,
  )

  test(
    "after `npm run reseal` the new key opens everything alone",
    async () => {
      expect(await reseal({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })).toEqual({
        code: 0,
        output: "Sealed with SECRET_KEY: 4.\nSECRET_KEY_PREVIOUS is not needed any more.\n",
      })
      await restart({ SECRET_KEY: NEW })
      expect(await deliver()).toBe(200)
      expect(await recipients()).toEqual([GUEST])
      await signUp()
      expect((await hashes()).size).toBe(1)
    },
    TIMEOUT_MS,
  )

  test(
    "a wrong key is refused with one sentence, and `--discard` gives up what no key opens",
    async () => {
      const { code, output } = await reseal({ SECRET_KEY: WRONG })
      expect(code).toBe(1)
      expect(output).toContain(
        `Neither key opens: Stripe's signing secret of program ${program.id}, the key of e-mail hashes, a secret of webhook endpoint `,
      )
      expect(output).toMatch(/, mail [0-9a-f-]{36}\b/)
      await stopTributary(launcher)
      const refused = await launch({ DATA_DIR: data_dir, SECRET_KEY: WRONG })
      expect(await refused.ended).toBe(1)
      expect(refused.output()).toStartWith("SECRET_KEY does not open a stored secret.")

      await restart({ SECRET_KEY: NEW })
      expect((await reseal({ SECRET_KEY: WRONG }, "--discard")).code).toBe(0)
      await restart({ SECRET_KEY: WRONG })
      expect(await deliver()).toBe(404)
      expect(await recipients()).toEqual([])
      const endpoint = await request("GET", endpointPath, { token: session })
      expect(endpoint.body.data).toMatchObject({ status: "disabled", secret_masked: null })
    },
    TIMEOUT_MS,
  )

  test(
    "an instance whose SECRET_KEY was itself the key of the hashes keeps them comparable",
    async () => {
      const hash = createHmac("sha256", OLD).update(EMAIL).digest("hex")
      await query(sql => sql`delete from tracking.sealed_keys`)
      await query(sql => sql`update tracking.customers set email_hash = ${hash}`)
      await restart({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })
      await signUp()
      expect(await hashes()).toEqual(new Set([hash]))
    },
    TIMEOUT_MS,
  )

  /** Records a click and a lead with the same e-mail address as ever. */
  async function signUp() {
    const { code, api_token: token } = program
    const affiliate_url = `https://shop.example/?aff=${code}`
    const click = await request("POST", "/api/v1/track/click", { body: { affiliate_url } })
    const lead = { click_id: click.body.click_id, customer_key: randomText(), email: EMAIL }
    const { status } = await request("POST", "/api/v1/track/lead", { body: lead, token })
    expect(status).toBe(200)
  }

  /** Delivers a webhook of Stripe, which identity verifies with the stored secret. */
  async function deliver(secret = SIGNING_SECRET): Promise<number> {
    const payload = JSON.stringify({
      id: `evt_${randomText()}`,
      object: "event",
      type: "customer.created",
      created: Math.floor(Date.now() / 1_000),
      livemode: true,
      data: { object: { id: "cus_1", object: "customer" } },
    })
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret,
    } as Parameters<typeof Stripe.webhooks.generateTestHeaderStringAsync>[0])
    const headers = { "content-type": "application/json", "stripe-signature": signature }
    const path = `/api/webhooks/stripe/${program.id}`
    return (await request("POST", path, { body: payload, headers })).status
  }

  /** The recipients of the mails in the outbox, which are sealed in the database. */
  const recipients = async () =>
    (await request("GET", "/dev/outbox")).body.data.map(({ to }: { to: string }) => to)

  const hashes = async () =>
    new Set(
      (await query(sql => sql`select email_hash from tracking.customers`)).map(
        ({ email_hash }) => email_hash,
      ),
    )

  async function query(read: (sql: postgres.Sql) => Promise<postgres.Row[]>) {
    const { url } = await Bun.file(join(data_dir, "postgres.json")).json()
    const sql = postgres(url, { max: 1 })
    try {
      return await read(sql)
    } finally {
      await sql.end()
    }
  }

  async function reseal(environment: Record<string, string>, ...options: string[]) {
    const child = Bun.spawn([process.execPath, "deploy/reseal.ts", ...options], {
      cwd: join(import.meta.dir, "../.."),
      env: { ...process.env, DATABASE_URL: "", DATA_DIR: data_dir, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const output = await Promise.all([child.stdout, child.stderr].map(s => new Response(s).text()))
    return { code: await child.exited, output: output.join("") }
  }
})
