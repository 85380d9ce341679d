import { expect, test } from "bun:test"
import { freePort } from "../../../deploy/port"
import { startMailServer } from "../../support/mail-server"
import { openShop } from "../../support/own-shop"
import { launchOwnSystem } from "../../support/own-system"
import { eventually } from "../../support/webhook-receiver"

const TIMEOUT_MS = 120_000
const KILLS = 8
const KILL_PAUSE_MS = 700 // a new replica has just begun to work
const SERVER_PAUSE_MS = 200 // so that mails are on their way when delivery is killed
const NOTICES = 5 // between two kills

test.skipIf(!Bun.which("nats-server"))(
  "each mail arrives with one id, and each notice in one digest, while delivery is killed again and again",
  async () => {
    const server = await startMailServer({
      onMailFrom: (_address, _session, done) => setTimeout(done, SERVER_PAUSE_MS),
    })
    const port = await freePort()
    const system = await launchOwnSystem({
      PROCESSES: "separate",
      REPLICAS: "2",
      PORT: `${port}`,
      PUBLIC_URL: `http://localhost:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: "mail@shop.example",
    })
    const { session, program_id } = await openShop(system)
    const daily = { token: session, body: { refund: "daily" } }
    await system.request("PUT", "/api/auth/notification-settings", daily)
    const { data } = await system.read("/api/auth/session", session)
    const workspace_id: number = data.memberships[0].workspace.id
    const invited: string[] = []
    let notices = 0

    const invite = async () => {
      const email = `guest-${invited.length}@people.example`
      const path = `/api/workspaces/${workspace_id}/invitations`
      const { status } = await system.request("POST", path, {
        token: session,
        body: { email, role: "analyst" },
      })
      expect(status).toBe(201)
      invited.push(email)
    }
    const notify = () => {
      const first = notices + 1
      notices += NOTICES
      return system.sql`
        insert into delivery.notices (source_key, kind, workspace_id, program_id, message, at)
        select
          gen_random_uuid(), 'refund', ${workspace_id}, ${program_id},
          format('Notice %s.', n), now()
        from generate_series(${first}::int, ${notices}::int) as n
      `
    }
    const endPeriod = () => system.sql`
      update delivery.notice_recipients
      set due_at = now()
      where mail_id is null
    `
    /** Tries at once what a killed process was sending, which waits for minutes otherwise. */
    const makeDue = () => system.sql`
      update delivery.mails
      set next_attempt_at = now()
      where status = 'queued'
    `

    for (let kill = 0; kill < KILLS; kill++) {
      await Promise.all([invite(), notify()])
      await Promise.all([endPeriod(), makeDue()])
      await Bun.sleep(KILL_PAUSE_MS)
      const replicas = (await system.processes()).filter(({ name }) => name === "delivery")
      for (const { pid } of replicas) process.kill(pid, "SIGKILL")
    }
    await eventually(async () => {
      await Promise.all([endPeriod(), makeDue()])
      const [{ waiting }] = (await system.sql`
        select
          (select count(*) from identity.outgoing_mails)
          + (select count(*) from delivery.notices where addressed_at is null)
          + (select count(*) from delivery.notice_recipients where mail_id is null)
          + (select count(*) from delivery.mails where status <> 'sent') as waiting
      `) as unknown as [{ waiting: string }]
      return Number(waiting) === 0
    }, 60_000)

    const mails = new Map<string, string>() // text by id
    for (const { headers, to, text } of server.mails) {
      const id = `${headers.get("message-id")} to ${to}`
      expect(mails.get(id) ?? text).toBe(text)
      mails.set(id, text)
    }
    const idsTo = (address: string) => [...mails.keys()].filter(id => id.endsWith(` to ${address}`))
    expect(invited.map(address => idsTo(address).length)).toEqual(invited.map(() => 1))
    const mailed = [...mails.values()].flatMap(text => text.match(/Notice \d+\./g) ?? [])
    const all = Array.from({ length: notices }, (_, i) => `Notice ${i + 1}.`)
    expect(mailed.toSorted()).toEqual(all.toSorted())
    await system.stop()
    await server.stop()
  },
  TIMEOUT_MS,
)
