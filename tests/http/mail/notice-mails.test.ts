import { describe, expect, test } from "bun:test"
import { newMember } from "../../support/member"
import { mailsTo, unsubscribePath } from "../../support/outbox"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newOwner, newProgram, type Owner, type TestProgram } from "../../support/program"
import { data_dir, send, sql } from "../../support/world"

const SETTINGS = "/api/auth/notification-settings"

type Kind = "sale" | "rejection" | "refund" | "payment" | "application" | "failing_endpoint"

/** Records a notice as if it had just happened: for a partner, or for the members of the workspace. */
async function notify(of: TestProgram, kind: Kind, message: string, partner_id?: number) {
  const [{ id }] = (await sql`
    insert into delivery.notices (
      source_key, kind, workspace_id, program_id, partner_id, message, at
    )
    values (
      gen_random_uuid(), ${kind}, ${of.workspace_id}, ${of.program_id}, ${partner_id ?? null},
      ${message}, now()
    )
    returning id
  `) as [{ id: number }]
  for (;;) {
    const [row] = await sql`
      select addressed_at
      from delivery.notices
      where id = ${id}
    `
    if (row!.addressed_at) return id
    await Bun.sleep(50)
  }
}

const outboxTo = (address: string, count = 1) => mailsTo(data_dir, address, count)
const choose = (token: string, settings: object) => send("PUT", SETTINGS, { token, body: settings })

/** Makes the digests of a user due, as the end of the day or week does. */
const endPeriod = (user_id: number) => sql`
  update delivery.notice_recipients
  set due_at = now()
  where user_id = ${user_id}
`
const waitingOf = (user_id: number) => sql`
  select frequency, due_at
  from delivery.notice_recipients
  where user_id = ${user_id} and mail_id is null
`

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await Bun.sleep(50)
}

describe("an instant notice", () => {
  test("of a partner is mailed to the person whose account is bound, and to no one else", async () => {
    const program = await newProgram()
    const email = newEmail()
    await newPartnerAccount(program, email)
    await notify(program, "rejection", "Your commission was rejected.", program.partner_id)
    const [mail] = await outboxTo(email)
    expect(mail!.subject).toEndWith(": commission rejected")
    expect(mail!.text).toStartWith("Your commission was rejected.\n")
    expect(mail!.text).toContain("/unsubscribe/")
    await notify(program, "refund", "Not yours.", program.partner_id + 1_000_000)
    await notify(program, "refund", "A refund.", program.partner_id)
    expect((await outboxTo(email, 2)).map(({ text }) => text.split("\n")[0])).toEqual([
      "A refund.",
      "Your commission was rejected.",
    ])
  })

  test("of a workspace is mailed to each active member", async () => {
    const program = await newProgram()
    const [active, suspended] = [
      await newMember(program, "analyst"),
      await newMember(program, "analyst", "suspended"),
    ]
    await notify(program, "refund", "Please review.")
    const [activeEmail, suspendedEmail] = await Promise.all([active, suspended].map(emailOf))
    await outboxTo(program.email)
    await outboxTo(activeEmail!)
    expect(await outboxTo(suspendedEmail!, 0)).toEqual([])
  })

  test("of a kind that is off is not mailed", async () => {
    const program = await newProgram()
    await notify(program, "sale", "A sale.") // off by default
    await choose(program.session, { refund: "off" })
    await notify(program, "refund", "A refund.")
    await notify(program, "failing_endpoint", "An endpoint.")
    const mails = await outboxTo(program.email)
    expect(mails.map(({ text }) => text.split("\n")[0])).toEqual(["An endpoint."])
    expect([...(await waitingOf(program.user_id))]).toEqual([])
  })

  const emailOf = async (token: string): Promise<string> =>
    (await send("GET", "/api/auth/session", { token })).body.data.user.email
})

describe("a digest", () => {
  test("has each notice of its period once, and ends at midnight or on Monday, in UTC", async () => {
    const program = await newProgram()
    await choose(program.session, { sale: "daily", refund: "daily", payment: "weekly" })
    await notify(program, "sale", "First.")
    await notify(program, "refund", "Second.")
    await notify(program, "payment", "Another day.")
    const rows = await waitingOf(program.user_id)
    const dueOf = (of: string) =>
      new Date(rows.find(({ frequency }) => frequency === of)!.due_at).toISOString()
    expect(dueOf("daily")).toEndWith("T00:00:00.000Z")
    expect(dueOf("weekly")).toEndWith("T00:00:00.000Z")
    expect(new Date(dueOf("weekly")).getUTCDay()).toBe(1)
    const days = (of: string) => (Date.parse(dueOf(of)) - Date.now()) / 86_400_000
    expect(Math.ceil(days("daily"))).toBe(1)
    expect(days("weekly")).toBeLessThanOrEqual(7)
    expect(days("weekly")).toBeGreaterThan(0)

    await endPeriod(program.user_id)
    const mails = await outboxTo(program.email, 2)
    const daily = mails.find(({ subject }) => subject === "Tributary: 2 notifications")!
    const lines = daily.text.split("\n").filter(line => line.startsWith("- "))
    expect(lines.map(line => line.split(": ")[1])).toEqual(["First.", "Second."])
    expect(daily.html.match(/<li>/g)).toHaveLength(2)

    await notify(program, "sale", "Next day.")
    await endPeriod(program.user_id)
    const [next] = await outboxTo(program.email, 3)
    expect(next!.text).toContain("Next day.")
    expect(next!.text).not.toContain("First.")
  })

  test("holds no kind that was turned off meanwhile", async () => {
    const program = await newProgram()
    await choose(program.session, { sale: "daily", refund: "daily" })
    for (const message of ["One.", "Two."]) await notify(program, "sale", message)
    await notify(program, "refund", "A refund.")
    await choose(program.session, { sale: "off" })
    await endPeriod(program.user_id)
    const [mail] = await outboxTo(program.email)
    expect(mail!.text).toContain("A refund.")
    expect(mail!.text).not.toContain("One.")
    expect([...(await waitingOf(program.user_id))]).toEqual([])
  })
})

describe("/unsubscribe/:token", () => {
  const settingsOf = async ({ session: token }: Owner) =>
    (await send("GET", SETTINGS, { token })).body.data
  const ONE_CLICK = {
    body: "List-Unsubscribe=One-Click",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: "https://mail.example",
    },
  }

  /** Gets a mail about a refund. Returns its owner and the way to stop such mails. */
  async function mailed() {
    const program = await newProgram()
    await notify(program, "refund", "A refund.")
    const [mail] = await outboxTo(program.email)
    return { owner: program, path: unsubscribePath(mail!.text) }
  }

  test("GET asks and changes nothing, POST turns off the kind, again and again", async () => {
    const { owner, path } = await mailed()
    const before = await settingsOf(owner)
    const shown = await send("GET", path)
    expect(shown.status).toBe(200)
    expect(shown.headers.get("content-type")).toStartWith("text/html")
    expect(shown.body).toContain(`action="${path}"`)
    expect(shown.body).toContain("refunds")
    expect((await send("HEAD", path)).status).toBe(200)
    expect(await settingsOf(owner)).toEqual(before)

    for (const _time of ["first", "second"]) {
      const done = await send("POST", path, ONE_CLICK)
      expect(done.status).toBe(200)
      expect(done.body).toContain("refunds")
    }
    expect(await settingsOf(owner)).toEqual({ ...before, refund: "off" })
    const entries = await sql`
      select actor_kind, details
      from identity.audit_entries
      where action = 'user.update_notification_settings' and subject_id = ${owner.user_id}
    `
    expect([...entries]).toEqual([{ actor_kind: "none", details: { refund: "off" } }])
  })

  test.each([
    ["multipart", { "content-type": "multipart/form-data; boundary=x" }, "--x--"],
    ["no type", {}, undefined],
    ["a type that is unknown", { "content-type": "application/x-else" }, "?"],
  ])("POST takes a body of %s: mail programs differ", async (_what, headers, body) => {
    const { owner, path } = await mailed()
    expect((await send("POST", path, { headers: headers as never, body })).status).toBe(200)
    expect((await settingsOf(owner)).refund).toBe("off")
  })

  test("404: a token of another person, kind or key, and none", async () => {
    const { owner, path } = await mailed()
    const { path: foreign } = await mailed()
    const [id, kinds, signature] = path.split("/").at(-1)!.split(".")
    const [foreignId] = foreign.split("/").at(-1)!.split(".")
    const before = await settingsOf(owner)
    for (const token of [
      `${id}.sale.${signature}`,
      `${foreignId}.${kinds}.${signature}`,
      `${id}.${kinds}.${signature!.startsWith("A") ? "B" : "A"}${signature!.slice(1)}`,
      `${id}.${kinds}`,
      `999999999999999.${kinds}.${signature}`,
      "x",
      "%00",
    ]) {
      for (const method of ["GET", "POST"]) {
        const { status } = await send(method, `/unsubscribe/${token}`)
        expect(status, token).toBe(404)
      }
    }
    expect(await settingsOf(owner)).toEqual(before)
  })
})

test("nothing is mailed to a person who has no account any more, and others get theirs", async () => {
  const { user_id } = await newOwner()
  const program = await newProgram()
  await choose(program.session, { refund: "daily" })
  const notice_id = await notify(program, "refund", "A refund.")
  await sql`
    insert into delivery.notice_recipients (notice_id, user_id, frequency, due_at)
    values (${notice_id}, ${user_id + 1_000_000_000}, 'daily', now())
  `
  await endPeriod(program.user_id)
  await outboxTo(program.email)
  await until(async () => (await waitingOf(user_id + 1_000_000_000)).length === 0)
})
