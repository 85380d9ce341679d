type Value = { stringValue?: string; intValue?: number | string }
type OtlpSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  attributes: { key: string; value: Value }[]
}
type Batch = {
  resourceSpans: { resource: Pick<OtlpSpan, "attributes">; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

const TIMEOUT_MS = 5_000

/** A minimal trace collector (OTLP over HTTP, in JSON). */
export function startCollector() {
  const spans: ReturnType<typeof read>[] = []
  const texts: string[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const text = await request.text()
      texts.push(text)
      for (const { resource, scopeSpans } of (JSON.parse(text) as Batch).resourceSpans) {
        const service = fields(resource)["service.name"]
        spans.push(...scopeSpans.flatMap(scope => scope.spans).map(span => read(span, service)))
      }
      return Response.json({})
    },
  })

  /** The spans of a request, as soon as `isWhole` accepts them. */
  async function traceOf(request_id: string, isWhole: (trace: typeof spans) => boolean) {
    for (const end = Date.now() + TIMEOUT_MS; ; await Bun.sleep(50)) {
      const [first] = spans.filter(span => span.attributes["tributary.request_id"] === request_id)
      const trace = spans.filter(({ traceId }) => traceId === first?.traceId)
      if (isWhole(trace)) return trace
      if (Date.now() > end) throw new Error(`The trace is incomplete: ${JSON.stringify(trace)}`)
    }
  }

  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}`,
    OTEL_BSP_SCHEDULE_DELAY: "100",
  }
  return {
    environment,
    spans,
    text: () => texts.join("\n"),
    traceOf,
    stop: () => server.stop(true),
  }
}

function read(
  { name, traceId, spanId, parentSpanId, status, ...span }: OtlpSpan,
  service: unknown,
) {
  const isFailed = status.code === 2
  return { service, name, traceId, spanId, parentSpanId, isFailed, attributes: fields(span) }
}

const fields = ({ attributes }: Pick<OtlpSpan, "attributes">) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )
