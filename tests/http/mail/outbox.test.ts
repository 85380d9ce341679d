import { beforeAll, describe, expect, test } from "bun:test"
import { stat } from "node:fs/promises"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { httpClient } from "../../support/http"
import { launch } from "../../support/launcher"
import { parseMail } from "../../support/mail"
import { newOwner } from "../../support/program"
import { eventually } from "../../support/webhook-receiver"
import { data_dir, send, url } from "../../support/world"

const START_TIMEOUT_MS = 60_000
const OUTBOX = "/dev/outbox"

describe("without SMTP_URL", () => {
  let mail: any // as the list shows it
  let token: string
  beforeAll(async () => {
    const { session, workspace_id } = await newOwner()
    const email = `guest-${crypto.randomUUID()}@example.com`
    const invited = await send("POST", `/api/workspaces/${workspace_id}/invitations`, {
      token: session,
      body: { email, role: "analyst" },
    })
    token = invited.body.data.token
    mail = await eventually(async () => {
      const { body } = await send("GET", OUTBOX)
      return body.data.find(({ to }: { to: string }) => to === email)
    })
  })

  test("GET /dev/outbox lists mails as their recipients would see them", () => {
    const link = `http://localhost:${new URL(url).port}/invitation?token=${token}`
    expect(mail.subject).toStartWith("Owner invites you to ")
    expect(mail.text).toContain(`\n${link}\n`)
    expect(mail.html).toContain(`<a href="${link}">`)
    expect(Date.parse(mail.at)).toBeCloseTo(Date.now(), -5)
  })

  test("each mail is a file that only its owner can read", async () => {
    const path = join(data_dir, "outbox", `${mail.id}.eml`)
    const { headers, text, html } = parseMail(await Bun.file(path).text())
    expect({ text: text.trim(), html: html.trim() }).toEqual({
      text: mail.text.trim(),
      html: mail.html.trim(),
    })
    expect(headers.get("to")).toBe(mail.to)
    expect(headers.get("message-id")).toStartWith(`<${mail.id}@`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(data_dir, "outbox"))).mode & 0o777).toBe(0o700)
  })
})

describe("GET /dev/outbox is for callers on this machine:", () => {
  const forged = ["x-forwarded-for", "x-real-ip", "forwarded", "host"].map(
    name => [name, name === "forwarded" ? "for=127.0.0.1" : "127.0.0.1"] as const,
  )

  test.each(forged)("200 from loopback, whatever %s says", async name => {
    const headers = { [name]: name === "forwarded" ? "for=203.0.113.9" : "203.0.113.9" }
    expect((await send("GET", OUTBOX, { headers })).status).toBe(200)
  })

  const [address] = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .flatMap(({ internal, family, address }) => (!internal && family === "IPv4" ? [address] : []))

  test.skipIf(!address)("404 from another address, whatever the headers say", async () => {
    const outside = httpClient(url.replace("localhost", address!))
    expect((await outside("GET", "/healthz")).status).toBe(200)
    for (const headers of [{}, ...forged.map(([name, value]) => ({ [name]: value }))]) {
      const { status, body } = await outside("GET", OUTBOX, { headers })
      expect({ status, body }).toEqual({ status: 404, body: { error: "Not found." } })
    }
  })

  describe("behind a trusted proxy on this machine", () => {
    let request: ReturnType<typeof httpClient>
    beforeAll(async () => {
      request = httpClient(await (await launch({ TRUSTED_PROXIES: "127.0.0.1,::1" })).ready)
    }, START_TIMEOUT_MS)

    test.each([
      [404, "198.51.100.7"],
      [404, "127.0.0.1, 198.51.100.7"],
      [200, "127.0.0.1"],
    ])("%i for a caller from %s", async (status, forwarded) => {
      const headers = { "x-forwarded-for": forwarded }
      expect((await request("GET", OUTBOX, { headers })).status).toBe(status)
    })
  })
})
