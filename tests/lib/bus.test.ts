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

const Text = Type.Object({ text: Type.String({ description: "a text" }) })

const ways = transports.flatMap(([name, open]) =>
  messages.map(([how, is_packed]) => [`${name}, ${how}`, open, is_packed] as const),
)

/** What it is refused with. `expect().rejects` would halt setImmediate, by which packets leave. */
const thrownBy = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    fault => fault,
  )

describe.each(ways)("a bus over %s", (_name, open, is_packed) => {
  const bus = async () => createBus(await open())

  /** Starts a service of two members, and tells how to ask it. */
  async function service(answer: (text: string) => unknown) {
    const echo = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed },
    })
    const answers = { echo: async ({ text = "" }) => ({ text: `${await answer(text)}` }) }
    const [one, two, caller] = [await bus(), await bus(), await bus()]
    await Promise.all([one.serve("test", { echo }, answers), two.serve("test", { echo }, answers)])
    const { clock_tolerance_ms } = await open()
    return {
      clock_tolerance_ms,
      ask: (text = "", within_ms?: number) => caller.call(echo, { text }, within_ms),
      drain: () => Promise.all([one.drain(), two.drain()]),
    }
  }

  test("carries a request to one member, and its reply back", async () => {
    const heard: string[] = []
    const { ask } = await service(text => heard.push(text) && text.toUpperCase())
    const replies = await Promise.all(["a", "b", "c", "ß"].map(text => ask(text)))

    expect(replies.map(({ text }) => text)).toEqual(["A", "B", "C", "SS"])
    expect(heard.sort()).toEqual(["a", "b", "c", "ß"])
  })

  test("carries a Fault back as it was thrown", async () => {
    const { ask } = await service(() => Promise.reject(new Fault("duplicate", "Seen before.")))
    expect(await thrownBy(ask())).toMatchObject({ kind: "duplicate", message: "Seen before." })
  })

  test("refuses what does not fit the contract, by name", async () => {
    const { ask } = await service(() => "")
    const asked = ask(7 as never)
    expect(await thrownBy(asked)).toMatchObject({
      kind: "invalid",
      message: "text must be a text.",
    })
  })

  test("logs a bug with its request, and says no more than that there was one", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const { ask } = await service(() => Promise.reject(new Error("disk on fire")))

    const asked = withContext({ ...newContext(), request_id: "r1" }, ask)
    const fault = { kind: "failed", message: "Something went wrong on our side." }
    expect(await thrownBy(asked)).toMatchObject(fault)
    expect(logged.mock.calls).toEqual([
      [{ subject: expect.any(String), err: new Error("disk on fire") }, expect.any(String)],
    ])
    logged.mockRestore()
  })

  test("hands on the request id, who asks, and a deadline that no one can extend", async () => {
    const actor = { kind: "user" as const, id: 7, address: "192.0.2.0" }
    const errand = { request_id: "r1", deadline: Date.now() + 500, actor }
    const inner = await service(() => JSON.stringify(currentContext()))
    const outer = await service(async () => (await inner.ask("", 60_000)).text)
    const { deadline, ...heard } = JSON.parse((await withContext(errand, outer.ask)).text)
    expect({ ...heard, deadline: errand.deadline }).toEqual(errand)
    expect(deadline - errand.deadline).toBeWithin(-1, 100) // what is left, by the clock of each
  })

  test("drops what comes too late", async () => {
    const heard: string[] = []
    const { ask, clock_tolerance_ms } = await service(text => heard.push(text))

    const late = ask("late", 20)
    Bun.sleepSync(clock_tolerance_ms + 50) // the whole process is frozen, then thaws
    expect(await thrownBy(late)).toMatchObject({ kind: "unavailable" })
    await ask("in time")
    expect(heard).toEqual(["in time"])
  }, 15_000)

  test("is unavailable when the answer takes too long", async () => {
    const { ask } = await service(() => Bun.sleep(200))
    expect(await thrownBy(ask("", 50))).toMatchObject({ kind: "unavailable" })
  })

  test("is unavailable at once where nobody serves", async () => {
    const nobody = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed },
    })
    const asked = (await bus()).call(nobody, { text: "" }, 60_000)
    expect(await thrownBy(asked)).toMatchObject({ kind: "unavailable" })
  })

  test("a message that is too large does not hang, and hurts nobody", async () => {
    const { ask } = await service(text => (text === "much" ? "x".repeat(2 ** 21) : text))
    const much = ["x".repeat(2 ** 21), "much"].map(text => ask(text).catch(({ kind }) => kind))
    const [asked, answered] = await Promise.all(much)
    expect(asked).toBe("too_large")
    expect(answered).toBeOneOf(["unavailable", { text: "x".repeat(2 ** 21) }])
    expect(await ask("small")).toEqual({ text: "small" })
  })

  test("drained, finishes what is under way, then is unavailable at once", async () => {
    const done: string[] = []
    const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<void>()
    const slow = (text: string) => {
      begin()
      return Bun.sleep(50).then(() => done.push(text))
    }
    const { ask, drain } = await service(slow)
    const answer = ask("slow")
    await isUnderWay
    await drain()
    expect(done).toEqual(["slow"])
    expect(await answer).toEqual({ text: "1" })

    const start = performance.now()
    const refusal = await thrownBy(ask())
    expect(performance.now() - start).toBeLessThan(200)
    expect(refusal).toMatchObject({ kind: "unavailable" })
  })
})

describe.each(transports)("packets over %s", (_name, open) => {
  /** How the texts come to travel, told by the bytes of each packet, and how each is answered. */
  async function send(texts: string[], answer: (text: string) => unknown = () => "") {
    const echo = operation(`test.${crypto.randomUUID()}.echo`, {
      ...{ request: Text, reply: Text, is_packed: true },
    })
    const packets: number[] = []
    const transport = await open()
    const counting: Transport = {
      ...transport,
      send: (subject, packet, within_ms) => {
        packets.push(packet.length)
        return transport.send(subject, packet, within_ms)
      },
    }
    const answers = { echo: async ({ text = "" }) => ({ text: `${await answer(text)}` }) }
    await createBus(open()).serve("test", { echo }, answers)
    const { call } = createBus(counting)
    const asked = texts.map((text, i) =>
      withContext({ ...newContext(), request_id: `r${i}` }, () => call(echo, { text }, 300)),
    )
    return { packets, answers: await Promise.allSettled(asked) }
  }

  test("take along what waits in one turn, 64 at most", async () => {
    const texts = Array.from({ length: 130 }, (_, i) => `${i}`)
    const { packets, answers } = await send(texts, text => `${text}!`)
    expect(packets).toHaveLength(3)
    expect(answers).toEqual(
      texts.map(text => ({ status: "fulfilled", value: { text: `${text}!` } })),
    )
  })

  test("hold 256 KiB at most, unless one message is longer", async () => {
    const sizes = [100_000, 100_000, 100_000, 300_000, 10]
    const { packets, answers } = await send(sizes.map(size => "x".repeat(size)))
    expect(packets.map(bytes => Math.round(bytes / 100_000))).toEqual([2, 1, 3, 0])
    expect(answers.every(({ status }) => status === "fulfilled")).toBe(true)
  })

  test("let each have its own request, refusal and bug", async () => {
    const logged = spyOn(log, "error").mockImplementation(() => {})
    const { packets, answers } = await send(["good", "bad", "bug", 7 as never, "good"], text => {
      if (text === "bad") throw new Fault("conflict", "No.")
      if (text === "bug") throw new Error("disk on fire")
      return currentContext().request_id
    })
    expect(packets).toHaveLength(1)
    expect(answers).toMatchObject([
      { value: { text: "r0" } },
      { reason: { kind: "conflict", message: "No." } },
      { reason: { kind: "failed", message: "Something went wrong on our side." } },
      { reason: { kind: "invalid", message: "text must be a text." } },
      { value: { text: "r4" } },
    ])
    expect(logged).toHaveBeenCalledTimes(1)
    logged.mockRestore()
  })

  test("are sent once: without an answer each is unavailable", async () => {
    const heard: string[] = []
    const { packets, answers } = await send(["a", "b"], text => heard.push(text) && Bun.sleep(500))
    expect(answers).toMatchObject([
      { reason: { kind: "unavailable" } },
      { reason: { kind: "unavailable" } },
    ])
    expect([packets.length, heard]).toEqual([1, ["a", "b"]])
  })
})
