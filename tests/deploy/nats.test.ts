import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { claimDataDir } from "../../deploy/data-dir"
import { natsServer } from "../../deploy/servers"
import { nats } from "../../lib/bus/nats"
import { log } from "../../lib/log"
import * as commissions from "../../services/commissions/contract"
import * as identity from "../../services/identity/contract"
import * as reporting from "../../services/reporting/contract"
import * as tracking from "../../services/tracking/contract"

/** Whom each user may ask, as the design draws it. */
const ASKS = {
  gateway: ["commissions", "identity", "reporting", "tracking"],
  identity: ["commissions", "tracking"],
  commissions: ["tracking"],
  tracking: ["commissions"],
  reporting: ["commissions", "tracking"],
  operator: ["commissions", "reporting", "tracking"],
}
const USERS = Object.keys(ASKS) as (keyof typeof ASKS)[]

/** What nobody but the gateway may ever ask, of what is worth most. */
const FOR_THE_GATEWAY = [
  identity.signIn,
  identity.findCaller,
  identity.admitToProgram,
  identity.regenerateToken,
  commissions.markCommissionPaid,
  commissions.approveCommission,
  tracking.recordSale,
  tracking.refundSale,
  tracking.eraseCustomer,
].map(({ subject }) => subject)

const SUBJECTS = [commissions, identity, reporting, tracking].flatMap(contract =>
  Object.values(contract).flatMap(value => ("subject" in value ? [value.subject as string] : [])),
)
const serviceOf = (subject: string) => subject.split(".")[0]!

describe.skipIf(!Bun.which("nats-server"))("on NATS,", () => {
  let urls: Record<string, string>
  let end: () => Promise<void>

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tributary-nats-"))
    const data_dir = claimDataDir(folder)
    const server = await natsServer(data_dir)
    const child = await server.spawn()
    urls = server.urls
    end = async () => {
      child.kill()
      await child.exited
      data_dir.lock.close()
      await rm(folder, { recursive: true })
    }
  })
  afterAll(() => end())

  test("nobody is let in without a name and a password", async () => {
    const { host } = new URL(urls.gateway!)
    const strangers = [{}, { user: "gateway" }, { user: "gateway", pass: "wrong" }, { token: "x" }]
    const opening = strangers.map(stranger => connect({ servers: host, ...stranger }))
    const opened = await Promise.allSettled(opening)
    expect(opened.map(({ status }) => status)).toEqual(strangers.map(() => "rejected"))
  })

  test.each(USERS)("%s asks only those whom the design lets it ask", async user => {
    const others = ["bench.echo", "$SYS.REQ.SERVER.PING", ...USERS.map(name => `_INBOX.${name}.a`)]
    const refused = await refusedIn(user, connection => {
      for (const subject of [...SUBJECTS, ...others]) connection.publish(subject, "{}")
    })
    const allowed = SUBJECTS.filter(subject => !refused.has(subject))

    expect([...new Set(allowed.map(serviceOf))].toSorted()).toEqual(ASKS[user])
    expect(others.filter(subject => !refused.has(subject))).toEqual([])
    if (user !== "gateway") expect(FOR_THE_GATEWAY.filter(isIn(allowed))).toEqual([])
  })

  test("each question is asked by somebody, and its health by the gateway alone", async () => {
    const refusedTo = await Promise.all(
      USERS.map(user =>
        refusedIn(user, connection => {
          for (const subject of SUBJECTS) connection.publish(subject, "{}")
        }),
      ),
    )
    const asking = (subject: string) => USERS.filter((_, i) => !refusedTo[i]!.has(subject))
    expect(SUBJECTS.filter(subject => asking(subject).length === 0)).toEqual([])
    for (const service of ASKS.gateway)
      expect(asking(`${service}.health.show`)).toEqual(["gateway"])
  })

  test.each(USERS)("%s hears only what is meant for it", async user => {
    const heard: [subject: string, queue?: string][] = [
      ...SUBJECTS.map((subject): [string, string] => [subject, serviceOf(subject)]),
      ...SUBJECTS.map((subject): [string] => [subject]), // beside the queue group
      ...SUBJECTS.map((subject): [string, string] => [subject, "listeners"]),
      [">"],
      ["*.*.*"],
      ["_INBOX.>"],
      ["$SYS.>"],
      ...USERS.map((name): [string] => [`_INBOX.${name}.>`]),
    ]
    for (const [subject, queue] of heard) {
      const refused = await refusedIn(user, connection => {
        connection.subscribe(subject, { queue, callback() {} })
      })
      const isOwn =
        subject === `_INBOX.${user}.>` || (queue === user && serviceOf(subject) === user)
      expect(refused.size === 0, `${subject} ${queue ?? ""}`).toBe(isOwn)
    }
  })

  test("a service answers a question once, and nobody who has not asked", async () => {
    const { subject } = tracking.recordClick
    const [gateway, service] = [await open("gateway"), await open("tracking")]
    const heard: string[] = []
    const refused = refusals(service)
    service.subscribe(subject, {
      queue: "tracking",
      callback(_error, message) {
        for (const answer of ["first", "second"]) message.respond(answer)
      },
    })
    await service.flush()
    gateway.subscribe("_INBOX.gateway.me", {
      callback(_error, message) {
        heard.push(message.string())
      },
    })
    gateway.publish(subject, "{}", { reply: "_INBOX.gateway.me" })
    while (refused.size === 0) await Bun.sleep(5)
    await Promise.all([gateway.flush(), service.flush()])

    expect(heard).toEqual(["first"])
    expect([...refused]).toEqual(["_INBOX.gateway.me"])
    await Promise.all([gateway.close(), service.close()])
  })

  test("a process with another's user does not start to serve", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const bus = await nats(urls.reporting!)
    const listening = bus.listen("tracking", tracking.recordSale.subject, () => {})
    expect(await listening.catch(({ message }) => message)).toBe(
      "NATS does not let us serve tracking.sale.record: is it the user of tracking?",
    )
    await bus.close()
    expect(logged).toHaveBeenCalled()
    logged.mockRestore()
  })

  async function open(user: string): Promise<NatsConnection> {
    const { host, password } = new URL(urls[user]!)
    return connect({ servers: host, user, pass: password, waitOnFirstConnect: true })
  }

  /** The subjects that the server refuses of what a user does. */
  async function refusedIn(user: string, act: (connection: NatsConnection) => void) {
    const connection = await open(user)
    const refused = refusals(connection)
    act(connection)
    await connection.flush()
    await connection.flush() // what is refused is told before the second
    await connection.close()
    return refused
  }
})

function refusals(connection: NatsConnection): Set<string> {
  const refused = new Set<string>()
  const follow = async () => {
    for await (const status of connection.status()) {
      if (status.type !== "error") continue
      const [, subject] = /"([^"]+)"/.exec(status.error.message) ?? []
      refused.add(subject!)
    }
  }
  void follow()
  return refused
}

const isIn = (list: string[]) => (item: string) => list.includes(item)
