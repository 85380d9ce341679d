import { KindGuard, type TSchema } from "@sinclair/typebox"

export type JsonSchema = Record<string, unknown>
type ReferTo = (schema: TSchema) => string | undefined // the $ref of a named schema

/**
 * Converts a TypeBox schema to JSON Schema 2020-12, which OpenAPI 3.1 uses. They differ in regular
 * expressions, the format of times and unions of literals. Named schemas become references.
 */
export function jsonSchemaOf(schema: TSchema, referTo: ReferTo): JsonSchema {
  const $ref = referTo(schema)
  return $ref ? { $ref } : writeOut(schema, referTo)
}

/** Converts a named schema itself to JSON Schema 2020-12. Schemas inside it become references. */
export function writeOut(schema: TSchema, referTo: ReferTo): JsonSchema {
  const of = (part: TSchema) => jsonSchemaOf(part, referTo)
  const description = schema.description && { description: schema.description }

  if (KindGuard.IsRegExp(schema))
    return { type: "string", ...lengthOrPattern(schema), ...description }
  if (schema.anyOf) return { ...union(schema.anyOf, of), ...description }
  if (schema.type === "array") return { ...schema, items: of(schema.items) }
  if (KindGuard.IsRecord(schema)) return { type: "object", ...description }
  if (schema.type === "object") {
    const fields = Object.entries<TSchema>(schema.properties)
    const properties = Object.fromEntries(fields.map(([name, field]) => [name, of(field)]))
    return { ...schema, properties }
  }
  const { format: _format, ...rest } = schema // TypeBox alone uses it
  return rest
}

/** Lengths are patterns in TypeBox, whose minLength counts UTF-16 units instead of characters. */
function lengthOrPattern({ source }: { source: string }): JsonSchema {
  const [, least, most] = /^\^\[\\s\\S\]\{(\d+),(\d+)\}\$$/.exec(source) ?? []
  return least && most ? { minLength: +least, maxLength: +most } : { pattern: source }
}

function union(choices: TSchema[], of: (choice: TSchema) => JsonSchema): JsonSchema {
  const words = choices.map(choice => choice.const).filter(word => typeof word === "string")
  return words.length === choices.length
    ? { type: "string", enum: words }
    : { anyOf: choices.map(of) }
}
