import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { SMTPServerOptions } from "smtp-server"
import { freePort } from "../../../deploy/port"
import { dumpAllRows } from "../../support/columns"
import { httpClient, succeedingClient } from "../../support/http"
import { type MailServer, startMailServer } from "../../support/mail-server"
import { launchOwnSystem, type System } from "../../support/own-system"
import { eventually } from "../../support/webhook-receiver"

const TIMEOUT_MS = 60_000
const PORT = await freePort()
const PUBLIC_URL = `http://localhost:${PORT}`
const USER = "post@shop.example"
const SMTP_PASSWORD = "canary/of the:mail@server"
const FROM = "Shop <mail@shop.example>"
const PROGRAMS = "/api/advertiser/affiliate-programs"
const HOSTILE_NAME = "Eve\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>"

const SIGN_IN: SMTPServerOptions = {
  authOptional: false,
  onAuth: ({ username, password }, _session, done) =>
    username === USER && password === SMTP_PASSWORD
      ? done(null, { user: "shop" })
      : done(new Error("Wrong user or password")),
}

let server: MailServer
let system: System
let post: (path: string, body?: object, token?: string) => Promise<any> // any: it varies by route
let session: string
let workspace_id: number
let count = 0
const newAddress = () => `guest-${++count}@people.example`
const tokens: string[] = []

beforeAll(async () => {
  server = await startMailServer(SIGN_IN)
  const credentials = `${encodeURIComponent(USER)}:${encodeURIComponent(SMTP_PASSWORD)}`
  system = await launchOwnSystem({
    SMTP_URL: `smtp://${credentials}@127.0.0.1:${server.port}`,
    MAIL_FROM: FROM,
    PUBLIC_URL,
    PORT: `${PORT}`,
    LOG_LEVEL: "trace",
  })
  const send = succeedingClient(system.url)
  post = (path, body, token = session) => send("POST", path, { body, token })
  const account = { email: "owner@example.com", password: "correct horse battery", name: "Ada" }
  const signedUp = await post("/api/auth/sign-up", { ...account, workspace_name: "Shop & Co" })
  session = signedUp.token
  workspace_id = signedUp.workspace.id
}, TIMEOUT_MS)
afterAll(async () => {
  await system?.stop()
  await server?.stop()
}, TIMEOUT_MS)

async function invite(email: string, to = workspace_id): Promise<string> {
  const { token } = await post(`/api/workspaces/${to}/invitations`, { email, role: "analyst" })
  tokens.push(token)
  return token
}

/** The rows of the queue, oldest first. */
const queue = () => system.sql`
  select id, sealed, status, attempts, error
  from delivery.mails
  order by created_at, id
`
const makeDue = () => system.sql`
  update delivery.mails
  set next_attempt_at = now()
  where status = 'queued'
`

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(50)
}

const isEmpty = async (table: string) =>
  (await system.sql`select from ${system.sql(table)} limit 1`).length === 0
const areHandedOver = () => isEmpty("identity.outgoing_mails")

describe("an invitation of a member", () => {
  test("is mailed with a link that accepts it, while the reply has the token as well", async () => {
    const email = newAddress()
    const token = await invite(email)
    const [mail] = await server.mailsTo(email)
    const { headers, text, html, to } = mail!

    const link = `${PUBLIC_URL}/invitation?token=${token}`
    expect(to).toEqual([email])
    expect(Object.fromEntries(headers)).toMatchObject({
      from: FROM,
      to: email,
      subject: "Ada invites you to Shop & Co",
      "message-id": expect.stringMatching(/^<[0-9a-f-]{36}@shop\.example>$/),
      "auto-submitted": "auto-generated",
    })
    expect(text).toContain(`\n${link}\n`)
    expect(text).toContain("Ada invites you to join the workspace Shop & Co on Tributary")
    expect(html).toContain(`<a href="${link}">`)
    expect(html).toContain("Shop &amp; Co")

    const accepted = await post("/api/auth/accept-invitation", {
      token,
      password: "correct horse battery",
    })
    expect(accepted.user.email).toBe(email)
  })

  test("is not mailed if it is refused", async () => {
    const path = `/api/workspaces/${workspace_id}/invitations`
    const before = (await queue()).length
    const request = httpClient(system.url)
    const body = { email: "owner@example.com", role: "analyst" }
    expect((await request("POST", path, { token: session, body })).status).toBe(409)
    await until(areHandedOver)
    expect((await queue()).length).toBe(before)
  })

  test("whose names are hostile adds no header, recipient, line or markup", async () => {
    const workspace = await post("/api/workspaces", { name: HOSTILE_NAME })
    const email = newAddress()
    await invite(email, workspace.id)
    const [{ headers, to, text, html }] = (await server.mailsTo(email)) as [any]
    expect(to).toEqual([email])
    expect([...headers.keys()].toSorted()).toEqual([
      "auto-submitted",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ])
    expect(headers.get("subject")).toBe(
      "Ada invites you to Eve Bcc: eve@example.com <script>alert(1)</script>",
    )
    expect(text).not.toMatch(/^Bcc/m)
    expect(html).not.toContain("<script")
    expect(html).toContain("&lt;script&gt;")
  })
})

describe("an invitation of a partner", () => {
  test("is mailed to the partner's address, in the program's name", async () => {
    const { id } = await post(PROGRAMS, { name: "Shop's program" })
    const email = newAddress()
    const { partner_id } = await post(`${PROGRAMS}/${id}/partners`, { email, name: "Partner" })
    const { token } = await post(`${PROGRAMS}/${id}/partners/${partner_id}/invite`, {})
    tokens.push(token)
    const [mail] = await server.mailsTo(email)
    expect(mail!.headers.get("subject")).toBe("Shop's program invites you to become a partner")
    expect(mail!.text).toContain(`\n${PUBLIC_URL}/invitation?token=${token}\n`)
  })
})

describe("while delivery cannot take mails,", () => {
  /** Locks delivery's queue, as if delivery were down. Returns what ends that. */
  async function stopQueue() {
    const { promise: released, resolve } = Promise.withResolvers<void>()
    const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
    const holding = system.sql.begin(async sql => {
      await sql`lock table delivery.mails in access exclusive mode`
      isHeld()
      await released
    })
    await held
    return () => {
      resolve()
      return holding
    }
  }

  test(
    "invitations succeed and wait, and the last one to an address counts",
    async () => {
      const kept = newAddress()
      const resume = await stopQueue()
      const first = await invite(kept)
      const second = await invite(kept)
      expect(await columnsContainingIn("identity.outgoing_mails", [first, second, kept])).toEqual(
        [],
      )
      await resume()

      await server.mailsTo(kept)
      await until(areHandedOver)
      await makeDue()
      await until(async () => (await queue()).every(({ status }) => status === "sent"))
      const mails = await server.mailsTo(kept)
      expect(mails.some(({ text }) => text.includes(second))).toBe(true)
    },
    TIMEOUT_MS,
  )

  async function columnsContainingIn(table: string, texts: string[]): Promise<string[]> {
    const rows = await system.sql`select stored::text as text from ${system.sql(table)} as stored`
    return texts.filter(text => rows.some(row => row.text.includes(text)))
  }
})

test("a mail that was not handed over yet is withdrawn with its invitation", async () => {
  await system.sql`
    create function identity.hand_over_none() returns trigger language plpgsql
    as 'begin return null; end'
  `
  await system.sql`
    create trigger hand_over_none before update on identity.outgoing_mails
    for each row execute function identity.hand_over_none()
  `
  try {
    const path = `/api/workspaces/${workspace_id}/invitations`
    const { id } = await post(path, { email: newAddress(), role: "analyst" })
    const mailsAbout = () => system.sql`
      select
      from identity.outgoing_mails
      where about = ${`invitation ${id}`}
    `
    expect(await mailsAbout()).toHaveLength(1)
    const request = httpClient(system.url)
    expect((await request("DELETE", `${path}/${id}`, { token: session })).status).toBe(200)
    expect(await mailsAbout()).toHaveLength(0)
  } finally {
    await system.sql`drop function identity.hand_over_none cascade`
  }
})

describe("a mail server that", () => {
  test(
    "refuses a recipient for good, for now, or hangs costs only that mail",
    async () => {
      const [gone, busy, silent, fine] = [newAddress(), newAddress(), newAddress(), newAddress()]
      server.answers.set(gone, 550).set(busy, 451).set(silent, "hangs")
      const known = new Set((await queue()).map(({ id }) => id))
      for (const address of [gone, busy, silent]) await invite(address)
      await until(async () => (await queue()).filter(({ id }) => !known.has(id)).length === 3)
      await invite(fine)
      await server.mailsTo(fine)

      const rowWith = (code: string) =>
        eventually(async () =>
          (await queue()).find(({ id, error }) => !known.has(id) && error?.includes(code)),
        )
      const refused = await rowWith("550")
      expect(refused).toMatchObject({ status: "failed", sealed: null, attempts: 1 })
      expect(refused.error).not.toContain(gone)
      expect(await rowWith("451")).toMatchObject({ status: "queued", sealed: expect.any(String) })

      server.answers.clear()
      await makeDue() // also of the one that hangs, as if its process had died
      await server.mailsTo(busy)
      await server.mailsTo(silent)
      expect(server.mails.some(({ to }) => to.includes(gone))).toBe(false)
    },
    TIMEOUT_MS,
  )

  test(
    "is down gets the mail later, once, although it is handed over twice",
    async () => {
      await server.stop()
      const email = newAddress()
      await invite(email)
      const waiting = () => system.sql`
        select id, sealed, expires_at
        from delivery.mails
        where status = 'queued' and error is not null
      `
      await until(async () => (await waiting()).length === 1)
      const [row] = await waiting()
      await system.sql`
        insert into identity.outgoing_mails (id, about, sealed, expires_at)
        values (${row!.id}, 'invitation 0', ${row!.sealed}, ${row!.expires_at})
      `
      await until(areHandedOver)

      const again = await startMailServer(SIGN_IN, server.port)
      await makeDue()
      const mails = await again.mailsTo(email)
      await system.sql`
        insert into identity.outgoing_mails (id, about, sealed, expires_at)
        values (${row!.id}, 'invitation 0', ${row!.sealed}, ${row!.expires_at})
      `
      await until(areHandedOver)
      await Bun.sleep(2_500) // two runs of the queue
      expect(again.mails).toHaveLength(1)
      expect(mails[0]!.headers.get("message-id")).toBe(`<${row!.id}@shop.example>`)
      await again.stop()
    },
    TIMEOUT_MS,
  )
})

test(
  "a mail is given up once what it offers has expired",
  async () => {
    await invite(newAddress()) // the mail server is down
    const isQueued = async () => (await queue()).some(({ status }) => status === "queued")
    await until(isQueued)
    await system.sql`
      update delivery.mails
      set expires_at = now(), next_attempt_at = now()
      where status = 'queued'
    `
    await until(async () => !(await isQueued()))
    expect((await queue()).at(-1)).toMatchObject({ status: "expired", sealed: null })
  },
  TIMEOUT_MS,
)

describe("what is stored and shown:", () => {
  test("no token, no content and no password of the mail server", async () => {
    const stored = await dumpAllRows(system.sql as never)
    for (const text of [...tokens, "invites you to join the workspace", SMTP_PASSWORD]) {
      expect(stored).not.toContain(text)
      expect(system.output()).not.toContain(text)
    }
    expect(system.output()).not.toContain("@people.example")
    const sealed = (await queue()).filter(({ sealed, status }) => sealed && status !== "queued")
    expect(sealed).toEqual([])
  })

  test("GET /dev/outbox is 404: mails are sent", async () => {
    const { status } = await httpClient(system.url)("GET", "/dev/outbox")
    expect(status).toBe(404)
  })
})
