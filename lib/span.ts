import { currentContext, currentTraceparent } from "./request-context"

/** A step that a trace shows. Its traceparent (W3C) goes with whatever the step causes. */
export type Span = {
  traceparent: string
  end(told: { name?: string; isFailed: boolean; attributes: Attributes }): void
}
type Attributes = Record<string, string | number>
type SpanKind = "server" | "client" // of whoever answers, or asks
export type StartSpan = (
  kind: SpanKind,
  name: string,
  parent: string | null,
  at: Attributes,
) => Span

const tracer: { start: StartSpan | null } = { start: null }

/** From now on steps are traced. Nothing of it is loaded, and nothing done, where nobody traces. */
export function traceWith(start: StartSpan) {
  tracer.start = start
}

/** The first step of a trace. What its errand causes belongs to it. */
export const enterTrace = (name: string) => enter(name, null)

/** A step of the trace that our errand belongs to, and from which the errand goes on. */
export function enterSpan(name: string): Span | undefined {
  const parent = currentTraceparent()
  return parent === undefined ? undefined : enter(name, parent)
}

/** A step of that trace which asks somebody else, and by itself causes no others here. */
export function beginSpan(name: string): Span | undefined {
  const parent = tracer.start ? currentTraceparent() : undefined
  return parent === undefined ? undefined : tracer.start?.("client", name, parent, {})
}

function enter(name: string, parent: string | null): Span | undefined {
  if (!tracer.start) return
  const errand = currentContext()
  const span = tracer.start("server", name, parent, { "tributary.request_id": errand.request_id })
  errand.traceparent = span.traceparent
  return span
}
