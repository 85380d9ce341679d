import { config } from "../config"
import { asFault, Fault, type FaultKind, unanswered } from "../fault"
import { log } from "../log"
import { timings } from "../metrics"
import { currentContext, type RequestContext, withContext } from "../request-context"
import { beginSpan, enterSpan, type Span } from "../span"
import { local } from "./local"
import { nats } from "./nats"
import { type Answers, type Operation, parse, type ReplyOf, type RequestOf } from "./operation"
import { packer } from "./packet"
import type { Receive, Respond, Transport } from "./transport"

const REPLY_TIMEOUT_MS = 1_000
const MESSAGE_MAX_BYTES = 1_000_000 // NATS refuses 1 MiB; what is kept must fit into an answer, too

const tookCall = timings(
  "tributary_bus_call_duration_seconds",
  "Questions that this process asked, until their answer or the end of its patience.",
  ["subject", "outcome"],
)
const tookAnswer = timings(
  "tributary_bus_answer_duration_seconds",
  "Questions that this process was asked, until it knew the answer.",
  ["subject", "outcome"],
)

/** The bus of this process. */
export const { call, serve, drain } = createBus(config.nats_url ? nats(config.nats_url) : local())

/** The one way to another service. What must hold over every transport is kept here, once. */
export function createBus(opening: Transport | Promise<Transport>) {
  const underway = new Set<Promise<void>>()
  const pack = packer<Answer>(async (...packet) => (await opening).send(...packet))

  /** Asks and waits. Throws the Fault that the service threw, or "unavailable" if none came. */
  async function call<Op extends Operation>(
    op: Op,
    request: RequestOf<Op>,
    within_ms = REPLY_TIMEOUT_MS,
  ): Promise<ReplyOf<Op>> {
    const errand = currentContext()
    const deadline = Math.min(errand.deadline, Date.now() + within_ms)
    const left_ms = deadline - Date.now()
    if (left_ms <= 0) throw unanswered()

    const span = beginSpan(op.subject)
    const ended = watchQuestion(tookCall, op.subject, span)
    const traceparent = span?.traceparent
    const { request_id, actor } = errand
    const told: Message = { request_id, deadline, actor, traceparent, left_ms, request }
    const message = JSON.stringify(told)
    const post = op.is_packed ? pack : ask
    const isTooLarge = Buffer.byteLength(message) > MESSAGE_MAX_BYTES
    const { reply, fault } = isTooLarge
      ? noAnswer(tooLarge())
      : await post(op.subject, message, left_ms).catch(noAnswer)
    ended(fault)
    if (fault) throw fault instanceof Fault ? fault : new Fault(fault.kind, fault.message)
    return reply
  }

  async function ask(subject: string, message: string, within_ms: number): Promise<Answer> {
    const transport = await opening
    return JSON.parse(await transport.send(subject, message, within_ms))
  }

  /** Answers a contract until drained. Members of one service share its questions. */
  async function serve<Module>(service: string, contract: Module, answers: Answers<Module>) {
    const transport = await opening
    for (const [name, handler] of Object.entries<Handler>(answers)) {
      const op = contract[name as keyof Module] as Operation
      const receive: Receive = (message, respond) => {
        const work = answer(op, handler, message, respond, transport.clock_tolerance_ms)
          .catch(error => log.error(error)) // nothing may be thrown into a client library
          .finally(() => underway.delete(work))
        underway.add(work)
      }
      await transport.listen(service, op.subject, receive)
    }
  }

  /** Takes no more questions, finishes those under way, then closes. */
  async function drain() {
    const transport = await opening
    await transport.stopListening()
    await Promise.all(underway)
    await transport.close()
  }

  return { call, serve, drain }
}

async function answer(
  op: Operation,
  handler: Handler,
  text: string,
  respond: Respond,
  clock_tolerance_ms: number,
) {
  const work = (message: Message) => workOn(op, handler, message, clock_tolerance_ms)
  const asked: Message | Message[] = JSON.parse(text)
  const answers = Array.isArray(asked) ? await Promise.all(asked.map(work)) : await work(asked)
  try {
    respond(JSON.stringify(answers))
  } catch (err) {
    log.error({ subject: op.subject, err }, "An answer could not be sent.") // it is too large
    const none = { fault: refusal(unanswered()) } // but what was done is done
    respond(JSON.stringify(Array.isArray(asked) ? asked.map(() => none) : none))
  }
}

async function workOn(
  { subject, request: schema }: Operation,
  handler: Handler,
  { request, left_ms = Infinity, ...errand }: Message, // an older process says no left_ms
  clock_tolerance_ms: number,
): Promise<Answer> {
  const now = Date.now()
  const last = errand.deadline + clock_tolerance_ms // by our clock
  if (now > last) return { fault: refusal(unanswered()) } // not to execute the past

  return withContext({ ...errand, deadline: Math.min(last, now + left_ms) }, async () => {
    const ended = watchQuestion(tookAnswer, subject, enterSpan(subject))
    try {
      const reply = await handler(parse(schema, request))
      ended()
      return { reply }
    } catch (error) {
      const fault = asFault(error)
      if (fault.cause) log.error({ subject, err: fault.cause }, fault.message)
      ended(fault)
      return { fault: refusal(fault) }
    }
  })
}

/** Returns what notes how a question ended that began now, in the numbers and in its trace. */
function watchQuestion(took: typeof tookCall, subject: string, span: Span | undefined) {
  const began = performance.now()
  return (fault?: Answer["fault"]) => {
    const outcome = fault?.kind ?? "answered"
    took(began, { subject, outcome })
    span?.end({
      isFailed: outcome === "failed" || outcome === "unavailable",
      attributes: { "tributary.outcome": outcome },
    })
  }
}

/** The body that came need not be: a number like 1e20 takes five times the room when it is written out. */
const tooLarge = () =>
  new Fault("too_large", `What is sent takes more than ${MESSAGE_MAX_BYTES} bytes, written out.`)
const noAnswer = (error: unknown): Answer => ({ fault: asFault(error) })
const refusal = ({ kind, message }: Fault) => ({ kind, message })

type Message = RequestContext & { left_ms: number; request: unknown }
type Answer = {
  reply?: any // any: ReplyOf types it
  fault?: { kind: FaultKind; message: string }
}
type Handler = (request: any) => Promise<unknown> // any: Answers has matched it to its operation
