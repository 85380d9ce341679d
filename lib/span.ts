import { currentErrand, currentTraceparent } from "./errand"

/** A step that a trace shows. Its traceparent (W3C) goes with whatever the step causes. */
export type Span = {
  traceparent: string
  end(told: { name?: string; isFailed: boolean; attributes: Attributes }): void
}
type Attributes = Record<string, string | number>
export type SpanKind = "server" | "client" // of whoever answers, or asks
export type Begin = (kind: SpanKind, name: string, parent: string | null, at: Attributes) => Span

const tracer: { begin: Begin | null } = { begin: null }

/** From now on steps are traced. Nothing of it is loaded, and nothing done, where nobody traces. */
export function traceWith(begin: Begin) {
  tracer.begin = begin
}

/** The first step of a trace. What its errand causes belongs to it. */
export const enterTrace = (name: string) => enter("server", name, null)

/** A step of the trace that our errand belongs to, and from which the errand goes on. */
export function enterSpan(kind: SpanKind, name: string): Span | undefined {
  const parent = currentTraceparent()
  return parent === undefined ? undefined : enter(kind, name, parent)
}

/** A step of that trace which by itself causes no others here. */
export function beginSpan(kind: SpanKind, name: string): Span | undefined {
  const parent = tracer.begin ? currentTraceparent() : undefined
  return parent === undefined ? undefined : tracer.begin?.(kind, name, parent, {})
}

function enter(kind: SpanKind, name: string, parent: string | null): Span | undefined {
  if (!tracer.begin) return
  const errand = currentErrand()
  const span = tracer.begin(kind, name, parent, { "tributary.request_id": errand.request_id })
  errand.traceparent = span.traceparent
  return span
}
