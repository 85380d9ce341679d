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
import * as delivery from "../../services/delivery/contract"
import * as identity from "../../services/identity/contract"
import * as reporting from "../../services/reporting/contract"
import * as tracking from "../../services/tracking/contract"

/** The services that each user may call. */
const CALLS = {
  gateway: ["commissions", "delivery", "identity", "reporting", "tracking"],
  identity: ["commissions", "delivery", "tracking"],
  commissions: ["delivery", "identity", "tracking"],
  tracking: ["commissions"],
  reporting: ["commissions", "tracking"],
  delivery: ["commissions", "identity", "tracking"],
  operator: ["commissions", "delivery", "identity", "reporting", "tracking"],
}
const USERS = Object.keys(CALLS) as (keyof typeof CALLS)[]

/** The most sensitive operations, which only the gateway may call. */
const GATEWAY_ONLY = [
  identity.signIn,
  identity.findCaller,
  identity.admitToProgram,
  identity.regenerateToken,
  commissions.markCommissionPaid,
  commissions.approveCommission,
  tracking.recordSale,
  tracking.refundSale,
  tracking.eraseCustomer,
  delivery.createEndpoint,
  delivery.rotateSecret,
  delivery.createPostback,
  delivery.listOutbox,
  delivery.replayPostback,
].map(({ subject }) => subject)

const SUBJECTS = [commissions, delivery, identity, reporting, tracking].flatMap(contract =>
  Object.values(contract).flatMap(value => ("subject" in value ? [value.subject as string] : [])),
)
const serviceOf = (subject: string) => subject.split(".")[0]!

describe.skipIf(!Bun.which("nats-server"))("on NATS,", () => {
  let urls: Record<string, string>
  let end: () => Promise<void>

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tributary-nats-"))
    const dataDir = claimDataDir(folder)
    const server = await natsServer(dataDir)
    const child = await server.spawn()
    urls = server.urls
    end = async () => {
      child.kill()
      await child.exited
      dataDir.lock.close()
      await rm(folder, { recursive: true })
    }
  })
  afterAll(() => end())

  test("a connection without a valid user and password is refused", async () => {
    const { host } = new URL(urls.gateway!)
    const credentials = [
      {},
      { user: "gateway" },
      { user: "gateway", pass: "wrong" },
      { token: "x" },
    ]
    const connections = credentials.map(credential => connect({ servers: host, ...credential }))
    const results = await Promise.allSettled(connections)
    expect(results.map(({ status }) => status)).toEqual(credentials.map(() => "rejected"))
  })

  test.each(USERS)("%s may call only the services that it needs", async user => {
    const others = ["bench.echo", "$SYS.REQ.SERVER.PING", ...USERS.map(name => `_INBOX.${name}.a`)]
    const refused = await refusedIn(user, connection => {
      for (const subject of [...SUBJECTS, ...others]) connection.publish(subject, "{}")
    })
    const allowed = SUBJECTS.filter(subject => !refused.has(subject))

    expect([...new Set(allowed.map(serviceOf))].toSorted()).toEqual(CALLS[user])
    expect(others.filter(subject => !refused.has(subject))).toEqual([])
    if (user !== "gateway") expect(GATEWAY_ONLY.filter(isIn(allowed))).toEqual([])
  })

  test("each operation has a caller, and health checks only the gateway", async () => {
    const refusedSubjects = await Promise.all(
      USERS.map(user =>
        refusedIn(user, connection => {
          for (const subject of SUBJECTS) connection.publish(subject, "{}")
        }),
      ),
    )
    const callersOf = (subject: string) => USERS.filter((_, i) => !refusedSubjects[i]!.has(subject))
    expect(SUBJECTS.filter(subject => callersOf(subject).length === 0)).toEqual([])
    for (const service of CALLS.gateway)
      expect(callersOf(`${service}.health.show`)).toEqual(["gateway"])
  })

  test.each(USERS)(
    "%s may subscribe only to its own subjects",
    async user => {
      const subscriptions: [subject: string, queue?: string][] = [
        ...SUBJECTS.map((subject): [string, string] => [subject, serviceOf(subject)]),
        ...SUBJECTS.map((subject): [string] => [subject]), // outside the queue group
        ...SUBJECTS.map((subject): [string, string] => [subject, "listeners"]),
        [">"],
        ["*.*.*"],
        ["_INBOX.>"],
        ["$SYS.>"],
        ...USERS.map((name): [string] => [`_INBOX.${name}.>`]),
      ]
      for (const [subject, queue] of subscriptions) {
        const refused = await refusedIn(user, connection => {
          connection.subscribe(subject, { queue, callback() {} })
        })
        const isOwn =
          subject === `_INBOX.${user}.>` || (queue === user && serviceOf(subject) === user)
        expect(refused.size === 0, `${subject} ${queue ?? ""}`).toBe(isOwn)
      }
    },
    120_000,
  ) // each subject has connections of its own

  test("a service may reply to a request only once", async () => {
    const { subject } = tracking.recordClick
    const [gateway, service] = [await open("gateway"), await open("tracking")]
    const received: string[] = []
    const refused = refusals(service)
    service.subscribe(subject, {
      queue: "tracking",
      callback(_error, message) {
        for (const reply of ["first", "second"]) message.respond(reply)
      },
    })
    await service.flush()
    gateway.subscribe("_INBOX.gateway.me", {
      callback(_error, message) {
        received.push(message.string())
      },
    })
    gateway.publish(subject, "{}", { reply: "_INBOX.gateway.me" })
    while (refused.size === 0) await Bun.sleep(5)
    await Promise.all([gateway.flush(), service.flush()])

    expect(received).toEqual(["first"])
    expect([...refused]).toEqual(["_INBOX.gateway.me"])
    await Promise.all([gateway.close(), service.close()])
  })

  test("a process with the user of another service does not start", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const bus = await nats(urls.reporting!)
    const listening = bus.listen("tracking", tracking.recordSale.subject, () => {})
    expect(await listening.catch(({ message }) => message)).toBe(
      "NATS does not allow subscribing to tracking.sale.record. Is NATS_URL that of tracking?",
    )
    await bus.close()
    expect(logged).toHaveBeenCalled()
    logged.mockRestore()
  })

  async function open(user: string): Promise<NatsConnection> {
    const { host, password } = new URL(urls[user]!)
    return connect({ servers: host, user, pass: password, waitOnFirstConnect: true })
  }

  /** Returns the subjects that the server refuses while `act` runs as a user. */
  async function refusedIn(user: string, act: (connection: NatsConnection) => void) {
    const connection = await open(user)
    const refused = refusals(connection)
    act(connection)
    await connection.flush()
    await connection.flush() // refusals arrive before the second reply
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
