import { currentContext, currentTraceparent } from "./request-context"

/** A span of a trace. Its traceparent (W3C) travels with everything the span causes. */
export type Span = {
  traceparent: string
  end(result: { name?: string; isFailed: boolean; attributes: Attributes }): void
}
type Attributes = Record<string, string | number>
type SpanKind = "server" | "client" // of the process that handles a request, or sends it
export type StartSpan = (
  kind: SpanKind,
  name: string,
  parent: string | null,
  attributes: Attributes,
) => Span

const tracer: { start: StartSpan | null } = { start: null }

/** Turns tracing on. Without it no tracing code is loaded or run. */
export function setTracer(start: StartSpan) {
  tracer.start = start
}

/** Starts a trace. Everything in the current request context becomes part of it. */
export const startTrace = (name: string) => startSpan(name, null)

/** Starts a span for handling a message, and makes it the parent of later spans. */
export function startServerSpan(name: string): Span | undefined {
  const parent = currentTraceparent()
  return parent === undefined ? undefined : startSpan(name, parent)
}

/** Starts a span for a call to another process. Later spans here are not its children. */
export function startClientSpan(name: string): Span | undefined {
  const parent = tracer.start ? currentTraceparent() : undefined
  return parent === undefined ? undefined : tracer.start?.("client", name, parent, {})
}

function startSpan(name: string, parent: string | null): Span | undefined {
  if (!tracer.start) return
  const context = currentContext()
  const span = tracer.start("server", name, parent, { "tributary.request_id": context.request_id })
  context.traceparent = span.traceparent
  return span
}
