import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { parseTraceParent, setGlobalErrorHandler } from "@opentelemetry/core"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources"
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { log } from "./log"
import { setTracer } from "./span"

const FLUSH_TIMEOUT_MS = 1_000 // an unreachable collector must not delay shutdown
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/** Sends traces as the OTEL_* variables say. Returns a function that flushes them and stops. */
export function startTracing(service: string): () => Promise<void> {
  setGlobalErrorHandler(error => log.warn({ err: error }, "Traces could not be sent."))
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": service }).merge(
      detectResources({ detectors: [envDetector] }), // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
    ),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer("tributary")

  setTracer((kind, name, parent, attributes) => {
    const origin = parent === null ? null : parseTraceParent(parent)
    const context = origin ? trace.setSpanContext(ROOT_CONTEXT, origin) : ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context)
    return {
      traceparent: traceparentOf(span),
      end({ name, isFailed, attributes }) {
        if (name) span.updateName(name)
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttributes(attributes).end()
      },
    }
  })
  return () => Promise.race([provider.shutdown(), Bun.sleep(FLUSH_TIMEOUT_MS)])
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
