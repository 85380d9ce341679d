import fc, { type Arbitrary } from "fast-check"
import type { Scene } from "./scene"
import { hostile, type Pool, type Schema, valid } from "./values"

export type Document = {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>
  components: { schemas: Record<string, Schema> }
}
export type Operation = {
  method: string
  path: string
  operationId: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export type FuzzRequest = {
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: string | Uint8Array | null
}

const JSON_TYPE = "application/json"

/** Generates requests to an operation: valid, nearly valid and hostile ones. */
export function requestsTo(operation: Operation, document: Document, scene: Scene) {
  const resolve = (ref: string) => document.components.schemas[ref.split("/").at(-1)!]!
  const { method, parameters = [], requestBody } = operation
  const parametersIn = (where: string) => parameters.filter(parameter => parameter.in === where)

  const pathValues = parametersIn("path").map(({ name }) => pathValue(scene.pool[name] ?? []))
  const query = fc.array(
    fc.tuple(
      fc.constantFrom<string>(
        ...parametersIn("query").map(({ name }) => name),
        "__proto__",
        "page[]",
        "%00",
      ),
      fc.oneof(
        hostile.map(textOf),
        ...parametersIn("query").map(({ schema }) => valid(schema, resolve, {}).map(textOf)),
      ),
    ),
    { maxLength: 4 },
  )
  const schema = requestBody?.content[JSON_TYPE]?.schema
  const body: Arbitrary<FuzzRequest["body"]> =
    method === "get" ? fc.constant(null) : bodies(schema, resolve, scene.pool)

  return fc
    .record({
      pathValues: fc.tuple(...pathValues),
      query,
      body,
      headers: headers(operation, scene),
    })
    .map(({ pathValues, query, body, headers }): FuzzRequest => {
      let index = 0
      const filled = operation.path.replace(/\{\w+\}/g, () => pathValues[index++]!)
      const search = query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&")
      const path = search ? `${filled}?${search}` : filled
      return { method: method.toUpperCase(), path, headers, body }
    })
}

const pathValue = (known: unknown[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("1", ...known.map(value => escaped(textOf(value)))) },
    { weight: 1, arbitrary: hostile.map(value => escaped(textOf(value)) || "0") },
    { weight: 1, arbitrary: fc.constantFrom("%00", "%ff", "%", "0", "-1", "1.0", "9".repeat(400)) },
  )

/** Not `String(value)` for objects: theirs may have a toString that is not a function. */
const textOf = (value: unknown): string =>
  value === Object(value) ? JSON.stringify(value) : String(value)

/** Percent-encodes any text, even a lone surrogate. Cuts it, because Bun limits the URL. */
function escaped(text: string): string {
  try {
    return encodeURIComponent(text.slice(0, 300))
  } catch {
    return "%ed%a0%80"
  }
}

function bodies(schema: Schema | undefined, resolve: (ref: string) => Schema, pool: Pool) {
  const validBody = schema ? valid(schema, resolve, pool) : fc.constant({})
  const names = Object.keys((schema?.$ref ? resolve(schema.$ref) : schema)?.properties ?? {})
  const nearlyValid = fc
    .tuple(validBody, fc.constantFrom(...names, "__proto__", "constructor", "x"), hostile)
    .map(([value, name, replacement]) => withField(value, name, replacement))
  return fc.oneof(
    { weight: 6, arbitrary: validBody.map(value => JSON.stringify(value)) },
    { weight: 6, arbitrary: nearlyValid },
    { weight: 1, arbitrary: hostile.map(value => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(...BODIES) },
  )
}

/** Builds the JSON as text, so that __proto__ is a field and a name can occur twice. */
function withField(value: unknown, name: string, added: unknown): string {
  const fields = Object.entries(Object(value)).map(([field, part]) => pair(field, part))
  return `{${[...fields, pair(name, added)].join(",")}}`
}
const pair = (name: string, value: unknown) =>
  `${JSON.stringify(name)}:${Object.is(value, -0) ? "-0" : JSON.stringify(value)}`

const BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"x"',
  "NaN",
  '{"a":1e400,"amount_cents":1e400}',
  '{"amount_cents":9007199254740993}',
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  '{"__proto__":{"isAdmin":true}}',
  "{}".padEnd(256 * 1024 + 1),
  "x".repeat(10 * 1024 * 1024),
  Buffer.from("\ufeff{}", "utf16le"),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
]

function headers({ security }: Operation, scene: Scene): Arbitrary<FuzzRequest["headers"]> {
  const accepted = security.flatMap(scheme => Object.keys(scheme))
  const valid = accepted.flatMap(name => scene.credentials[name] ?? [])
  const all = Object.values(scene.credentials).flat()
  const hostileCredential = fc.constantFrom(
    {},
    ...all,
    { authorization: "Bearer" },
    { authorization: `Bearer affs_${"x".repeat(38)}` },
    { authorization: `Bearer ${"a".repeat(6_000)}` },
    { cookie: "session=; session=x; =; ;" },
    { authorization: "Basic Og==", cookie: "session=\u00ff" },
  )
  const credential =
    valid.length > 0
      ? fc.oneof(
          { weight: 7, arbitrary: fc.constantFrom(...valid) },
          { weight: 1, arbitrary: hostileCredential },
        )
      : hostileCredential
  const others: Arbitrary<FuzzRequest["headers"]> = fc.oneof(
    { weight: 8, arbitrary: fc.constant({ "content-type": JSON_TYPE }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<FuzzRequest["headers"]>(
        {},
        { "content-type": ["application/json", "text/html"] },
        { "content-type": "text/plain" },
        { "content-type": "application/json; charset=utf-16" },
        { "content-type": JSON_TYPE, "content-encoding": "gzip" },
        { "content-type": JSON_TYPE, "x-workspace-id": ["1", "2"] },
        { "content-type": JSON_TYPE, "x-workspace-id": "9".repeat(30) },
        { "content-type": JSON_TYPE, "x-forwarded-for": "1.2.3.4, \u00e9,,::1" },
        { "content-type": JSON_TYPE, "x-request-id": "a".repeat(5_000) },
        { "content-type": JSON_TYPE, "user-agent": "\u00ff".repeat(2_000) },
        { "content-type": JSON_TYPE, accept: "text/csv" },
        { "content-type": JSON_TYPE, accept: "*/*;q=x,,text/csv;q=2" },
        { "content-type": JSON_TYPE, origin: "null", "sec-fetch-site": "cross-site" },
        { "content-type": JSON_TYPE, "if-none-match": '*,W/"', "accept-encoding": "gzip;q=0,*" },
        { "content-type": JSON_TYPE, "stripe-signature": "t=1,v1=,v1=x,t=NaN" },
      ),
    },
  )
  return fc.tuple(others, credential).map(([one, two]) => ({ ...one, ...two }))
}
