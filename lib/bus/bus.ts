import { config } from "../config"
import { asFault, Fault, type FaultKind, unavailable } from "../fault"
import { log } from "../log"
import { timings } from "../metrics"
import { currentContext, type RequestContext, withContext } from "../request-context"
import { type Span, startClientSpan, startServerSpan } from "../span"
import { local } from "./local"
import { nats } from "./nats"
import { type Handlers, type Operation, parse, type ReplyOf, type RequestOf } from "./operation"
import { packer } from "./packet"
import type { Receive, Respond, Transport } from "./transport"

const REPLY_TIMEOUT_MS = 1_000
const MESSAGE_MAX_BYTES = 1_000_000 // NATS refuses 1 MiB; what is stored must fit into a reply, too

const observeCall = timings(
  "tributary_bus_call_duration_seconds",
  "Requests that this process sent, until their reply or timeout.",
  ["subject", "outcome"],
)
const observeAnswer = timings(
  "tributary_bus_answer_duration_seconds",
  "Requests that this process handled, until their reply was ready.",
  ["subject", "outcome"],
)

/** The bus of this process. */
export const { call, serve, drain } = createBus(config.nats_url ? nats(config.nats_url) : local())

/** Creates the bus to the other services, with the same guarantees over every transport. */
export function createBus(opening: Transport | Promise<Transport>) {
  const inProgress = new Set<Promise<void>>()
  const pack = packer<Reply>(async (...packet) => (await opening).send(...packet))

  /**
   * Sends a request and returns the reply. Throws the Fault that the service threw, or
   * "unavailable" if no reply came within `withinMs` or by the deadline of the current request.
   */
  async function call<Op extends Operation>(
    op: Op,
    request: RequestOf<Op>,
    withinMs = REPLY_TIMEOUT_MS,
  ): Promise<ReplyOf<Op>> {
    const context = currentContext()
    const deadline = Math.min(context.deadline, Date.now() + withinMs)
    const left_ms = deadline - Date.now()
    if (left_ms <= 0) throw unavailable()

    const span = startClientSpan(op.subject)
    const end = observeRequest(observeCall, op.subject, span)
    const traceparent = span?.traceparent
    const { request_id, actor } = context
    const message: Message = { request_id, deadline, actor, traceparent, left_ms, request }
    const text = JSON.stringify(message)
    const send = op.is_packed ? pack : sendAlone
    const isTooLarge = Buffer.byteLength(text) > MESSAGE_MAX_BYTES
    const { reply, fault } = isTooLarge
      ? faultOf(tooLarge())
      : await send(op.subject, text, left_ms).catch(faultOf)
    end(fault)
    if (fault) throw fault instanceof Fault ? fault : new Fault(fault.kind, fault.message)
    return reply
  }

  async function sendAlone(subject: string, message: string, withinMs: number): Promise<Reply> {
    const transport = await opening
    return JSON.parse(await transport.send(subject, message, withinMs))
  }

  /** Handles the operations of a contract until drained. Members of a service share requests. */
  async function serve<Module>(service: string, contract: Module, handlers: Handlers<Module>) {
    const transport = await opening
    for (const [name, handler] of Object.entries<Handler>(handlers)) {
      const op = contract[name as keyof Module] as Operation
      const receive: Receive = (message, respond) => {
        const work = handle(op, handler, message, respond, transport.clockToleranceMs)
          .catch(error => log.error(error)) // an error must not reach the client library
          .finally(() => inProgress.delete(work))
        inProgress.add(work)
      }
      await transport.listen(service, op.subject, receive)
    }
  }

  /** Accepts no more requests, finishes those in progress, then closes the transport. */
  async function drain() {
    const transport = await opening
    await transport.stopListening()
    await Promise.all(inProgress)
    await transport.close()
  }

  return { call, serve, drain }
}

async function handle(
  op: Operation,
  handler: Handler,
  text: string,
  respond: Respond,
  clockToleranceMs: number,
) {
  const work = (message: Message) => workOn(op, handler, message, clockToleranceMs)
  const received: Message | Message[] = JSON.parse(text)
  const isPacket = Array.isArray(received)
  const reply = isPacket ? await Promise.all(received.map(work)) : await work(received)
  try {
    respond(JSON.stringify(reply))
  } catch (err) {
    log.error({ subject: op.subject, err }, "A reply could not be sent.") // it is too large
    const unknown = { fault: refusal(unavailable()) } // the work has been done
    respond(JSON.stringify(isPacket ? received.map(() => unknown) : unknown))
  }
}

async function workOn(
  { subject, request: schema }: Operation,
  handler: Handler,
  { request, left_ms = Infinity, ...context }: Message, // an older process sends no left_ms
  clockToleranceMs: number,
): Promise<Reply> {
  const now = Date.now()
  const last = context.deadline + clockToleranceMs // by our clock
  if (now > last) return { fault: refusal(unavailable()) } // the caller no longer waits

  return withContext({ ...context, deadline: Math.min(last, now + left_ms) }, async () => {
    const end = observeRequest(observeAnswer, subject, startServerSpan(subject))
    try {
      const reply = await handler(parse(schema, request))
      end()
      return { reply }
    } catch (error) {
      const fault = asFault(error)
      if (fault.cause) log.error({ subject, err: fault.cause }, fault.message)
      end(fault)
      return { fault: refusal(fault) }
    }
  })
}

/** Returns a function that records the end of a request that begins now, in metrics and trace. */
function observeRequest(observe: typeof observeCall, subject: string, span: Span | undefined) {
  const began = performance.now()
  return (fault?: Reply["fault"]) => {
    const outcome = fault?.kind ?? "answered"
    observe(began, { subject, outcome })
    span?.end({
      isFailed: outcome === "failed" || outcome === "unavailable",
      attributes: { "tributary.outcome": outcome },
    })
  }
}

/** A small body may exceed the limit: serialized, a number like 1e20 is five times as long. */
const tooLarge = () =>
  new Fault("too_large", `The request exceeds ${MESSAGE_MAX_BYTES} bytes when serialized as JSON.`)
const faultOf = (error: unknown): Reply => ({ fault: asFault(error) })
const refusal = ({ kind, message }: Fault) => ({ kind, message })

type Message = RequestContext & { left_ms: number; request: unknown }
type Reply = {
  reply?: any // any: ReplyOf types it
  fault?: { kind: FaultKind; message: string }
}
type Handler = (request: any) => Promise<unknown> // any: Handlers matches it to its operation
