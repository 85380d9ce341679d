import { afterAll, describe, expect, spyOn, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { createBus } from "../../lib/bus/bus"
import { local } from "../../lib/bus/local"
import { nats } from "../../lib/bus/nats"
import { operation } from "../../lib/bus/operation"
import type { Transport } from "../../lib/bus/transport"
import { Fault } from "../../lib/fault"
import { log } from "../../lib/log"
import { currentContext, newContext, withContext } from "../../lib/request-context"

const memory = local()
const transports: [string, () => Promise<Transport>][] = [["memory", async () => memory]]
const messages = [
  ["alone", false],
  ["in packets", true],
] as const

if (Bun.which("nats-server")) {
  const port = `${20_000 + (process.pid % 10_000)}`
  const server = Bun.spawn(["nats-server", "-a", "127.0.0.1", "-p", port], { stderr: "ignore" })
  afterAll(() => server.kill())
  transports.push(["NATS", () => nats(`127.0.0.1:${port}`)])
}

const Text = Type.Object({ text: Type.String({ description: "a string" }) })

const cases = transports.flatMap(([name, open]) =>
  messages.map(([how, is_packed]) => [`${name}, ${how}`, open, is_packed] as const),
)

/** The error of a call, or null. `expect().rejects` would block setImmediate, which sends packets. */
const thrownBy = (reply: Promise<unknown>) =>
  reply.then(
    () => null,
    fault => fault,
  )

describe.each(cases)("a bus over %s", (_name, open, is_packed) => {
  const bus = async () => createBus(await open())

  /** Starts a service of two members, and returns a function that sends it requests. */
  async function service(replyTo: (text: string) => unknown) {
    const echo = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed },
    })
    const handlers = { echo: async ({ text = "" }) => ({ text: `${await replyTo(text)}` }) }
    const [one, two, caller] = [await bus(), await bus(), await bus()]
    await Promise.all([
      one.serve("test", { echo }, handlers),
      two.serve("test", { echo }, handlers),
    ])
    const { clockToleranceMs } = await open()
    return {
      clockToleranceMs,
      send: (text = "", withinMs?: number) => caller.call(echo, { text }, withinMs),
      drain: () => Promise.all([one.drain(), two.drain()]),
    }
  }

  test("carries a request to one member, and its reply back", async () => {
    const received: string[] = []
    const { send } = await service(text => received.push(text) && text.toUpperCase())
    const replies = await Promise.all(["a", "b", "c", "ß"].map(text => send(text)))

    expect(replies.map(({ text }) => text)).toEqual(["A", "B", "C", "SS"])
    expect(received.sort()).toEqual(["a", "b", "c", "ß"])
  })

  test("carries a Fault back as it was thrown", async () => {
    const { send } = await service(() => Promise.reject(new Fault("duplicate", "Seen before.")))
    expect(await thrownBy(send())).toMatchObject({ kind: "duplicate", message: "Seen before." })
  })

  test("refuses a request that violates the contract, and names the field", async () => {
    const { send } = await service(() => "")
    expect(await thrownBy(send(7 as never))).toMatchObject({
      kind: "invalid",
      message: "text must be a string.",
    })
  })

  test("logs a bug with its request, and replies without details", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const { send } = await service(() => Promise.reject(new Error("disk on fire")))

    const reply = withContext({ ...newContext(), request_id: "r1" }, send)
    const fault = { kind: "failed", message: "Something went wrong on our side." }
    expect(await thrownBy(reply)).toMatchObject(fault)
    expect(logged.mock.calls).toEqual([
      [{ subject: expect.any(String), err: new Error("disk on fire") }, expect.any(String)],
    ])
    logged.mockRestore()
  })

  test("forwards the request id, the actor, and a deadline that cannot be extended", async () => {
    const actor = { kind: "user" as const, id: 7, address: "192.0.2.0" }
    const context = { request_id: "r1", deadline: Date.now() + 500, actor }
    const inner = await service(() => JSON.stringify(currentContext()))
    const outer = await service(async () => (await inner.send("", 60_000)).text)
    const { deadline, ...received } = JSON.parse((await withContext(context, outer.send)).text)
    expect({ ...received, deadline: context.deadline }).toEqual(context)
    expect(deadline - context.deadline).toBeWithin(-1, 100) // the time left, by each clock
  })

  test("drops requests that arrive too late", async () => {
    const received: string[] = []
    const { send, clockToleranceMs } = await service(text => received.push(text))

    const late = send("late", 20)
    Bun.sleepSync(clockToleranceMs + 50) // freezes the whole process
    expect(await thrownBy(late)).toMatchObject({ kind: "unavailable" })
    await send("in time")
    expect(received).toEqual(["in time"])
  }, 15_000)

  test("is unavailable if the reply takes too long", async () => {
    const { send } = await service(() => Bun.sleep(200))
    expect(await thrownBy(send("", 50))).toMatchObject({ kind: "unavailable" })
  })

  test("is unavailable at once without a service", async () => {
    const unserved = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed },
    })
    const reply = (await bus()).call(unserved, { text: "" }, 60_000)
    expect(await thrownBy(reply)).toMatchObject({ kind: "unavailable" })
  })

  test("a message that is too large does not hang, and later messages work", async () => {
    const { send } = await service(text => (text === "large reply" ? "x".repeat(2 ** 21) : text))
    const texts = ["x".repeat(2 ** 21), "large reply"]
    const sent = texts.map(text => send(text).catch(({ kind }) => kind))
    const [largeRequest, largeReply] = await Promise.all(sent)
    expect(largeRequest).toBe("too_large")
    expect(largeReply).toBeOneOf(["unavailable", { text: "x".repeat(2 ** 21) }])
    expect(await send("small")).toEqual({ text: "small" })
  })

  test("drained, finishes requests in progress, then is unavailable at once", async () => {
    const done: string[] = []
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
    const slow = (text: string) => {
      begin()
      return Bun.sleep(50).then(() => done.push(text))
    }
    const { send, drain } = await service(slow)
    const reply = send("slow")
    await hasBegun
    await drain()
    expect(done).toEqual(["slow"])
    expect(await reply).toEqual({ text: "1" })

    const start = performance.now()
    const refusal = await thrownBy(send())
    expect(performance.now() - start).toBeLessThan(200)
    expect(refusal).toMatchObject({ kind: "unavailable" })
  })
})

describe.each(transports)("packets over %s", (_name, open) => {
  /** Sends the texts. Returns the bytes of each packet, and what each call settled with. */
  async function send(texts: string[], replyTo: (text: string) => unknown = () => "") {
    const echo = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed: true },
    })
    const packets: number[] = []
    const transport = await open()
    const counting: Transport = {
      ...transport,
      send: (subject, packet, withinMs) => {
        packets.push(packet.length)
        return transport.send(subject, packet, withinMs)
      },
    }
    const handlers = { echo: async ({ text = "" }) => ({ text: `${await replyTo(text)}` }) }
    await createBus(open()).serve("test", { echo }, handlers)
    const { call } = createBus(counting)
    const calls = texts.map((text, i) =>
      withContext({ ...newContext(), request_id: `r${i}` }, () => call(echo, { text }, 300)),
    )
    return { packets, replies: await Promise.allSettled(calls) }
  }

  test("hold the messages of one turn, 64 at most", async () => {
    const texts = Array.from({ length: 130 }, (_, i) => `${i}`)
    const { packets, replies } = await send(texts, text => `${text}!`)
    expect(packets).toHaveLength(3)
    expect(replies).toEqual(
      texts.map(text => ({ status: "fulfilled", value: { text: `${text}!` } })),
    )
  })

  test("hold 256 KiB at most, unless one message is longer", async () => {
    const sizes = [100_000, 100_000, 100_000, 300_000, 10]
    const { packets, replies } = await send(sizes.map(size => "x".repeat(size)))
    expect(packets.map(bytes => Math.round(bytes / 100_000))).toEqual([2, 1, 3, 0])
    expect(replies.every(({ status }) => status === "fulfilled")).toBe(true)
  })

  test("give each message its own context, refusal or bug", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const { packets, replies } = await send(["good", "bad", "bug", 7 as never, "good"], text => {
      if (text === "bad") throw new Fault("conflict", "No.")
      if (text === "bug") throw new Error("disk on fire")
      return currentContext().request_id
    })
    expect(packets).toHaveLength(1)
    expect(replies).toMatchObject([
      { value: { text: "r0" } },
      { reason: { kind: "conflict", message: "No." } },
      { reason: { kind: "failed", message: "Something went wrong on our side." } },
      { reason: { kind: "invalid", message: "text must be a string." } },
      { value: { text: "r4" } },
    ])
    expect(logged).toHaveBeenCalledTimes(1)
    logged.mockRestore()
  })

  test("are sent once: without a reply each message is unavailable", async () => {
    const received: string[] = []
    const { packets, replies } = await send(
      ["a", "b"],
      text => received.push(text) && Bun.sleep(500),
    )
    expect(replies).toMatchObject([
      { reason: { kind: "unavailable" } },
      { reason: { kind: "unavailable" } },
    ])
    expect([packets.length, received]).toEqual([1, ["a", "b"]])
  })
})
