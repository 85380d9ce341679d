import fc, { type Arbitrary } from "fast-check"

/** A JSON Schema of /openapi.json, as far as the generator reads it. */
export type Schema = {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}
export type Pool = Record<string, unknown[]> // existing values by field name

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202e\u0301",
  "🦀".repeat(300),
  "x".repeat(256),
  "x".repeat(3_000),
  "x".repeat(100_000),
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "1e400",
  "-0",
  "0x10",
  "٣",
  "2026-02-30",
  "2026-02-30T00:00:00Z",
  "infinity",
  "-infinity",
  "epoch",
  "now",
  "0000-01-01",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.000Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01 00:00:00+99:99",
  "1' or '1'='1",
  "'; drop table tracking.customers; --",
  "\\'; select pg_sleep(10); --",
  "$1",
  "{{7*7}}",
  "#{7*7}<%= 7*7 %>",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "a\r\nSet-Cookie: x=1",
  "%00",
  "%ff",
  "%",
  "http://",
  "http://[",
  "https://shop.example/?aff=",
  "https://shop.example/?aff=%00",
  "https://shop.example/?aff=%ff",
  "https://a@b:99999/?aff=x",
  "javascript:alert(1)",
  "a@b",
  "@",
  "=cmd|' /C calc'!A0",
]
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  99,
  100,
  101,
  365,
  366,
  10_000,
  10_001,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
  5e-324,
]

/** Generates values that tend to break parsers, databases and pages. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS),
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: [1] } }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.constantFrom<unknown>(...TEXTS, ...NUMBERS), { maxLength: 5 }),
)

/** Generates values that a schema accepts, among them existing ones of the field `name`. */
export function valid(
  schema: Schema,
  resolve: (ref: string) => Schema,
  pool: Pool,
  name = "",
): Arbitrary<unknown> {
  const known = pool[name] ?? []
  const generated = ofSchema(schema, resolve, pool)
  return known.length > 0
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: generated },
      )
    : generated
}

function ofSchema(
  schema: Schema,
  resolve: (ref: string) => Schema,
  pool: Pool,
): Arbitrary<unknown> {
  if (schema.$ref) return ofSchema(resolve(schema.$ref), resolve, pool)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(part => valid(part, resolve, pool)))
  switch (schema.type) {
    case "object": {
      if (!schema.properties) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
      const fields: Record<string, Arbitrary<unknown>> = {}
      for (const [name, part] of Object.entries(schema.properties)) {
        fields[name] = valid(part, resolve, pool, name)
      }
      return fc.record(fields, { requiredKeys: schema.required ?? [] })
    }
    case "array":
      return fc.array(valid(schema.items ?? {}, resolve, pool), { maxLength: 4 })
    case "integer":
    case "number":
      return numbers(schema)
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "string":
      return texts(schema)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

/** Generates numbers in a range, its edges more often than others. */
function numbers({ minimum = -(2 ** 53), maximum = 2 ** 53 - 1 }: Schema) {
  const between = fc.maxSafeInteger().map(n => minimum + (Math.abs(n) % (maximum - minimum + 1)))
  return fc.oneof(fc.constantFrom(minimum, maximum, minimum + 1), between)
}

function texts({ pattern, minLength = 0, maxLength = 300 }: Schema) {
  if (pattern && !pattern.includes("(?")) return fc.stringMatching(new RegExp(pattern))
  const most = Math.min(maxLength, 300)
  return fc.string({ unit: "grapheme-composite", minLength, maxLength: Math.max(minLength, most) })
}
