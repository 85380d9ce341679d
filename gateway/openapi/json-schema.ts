import { KindGuard, type TSchema } from "@sinclair/typebox"

export type JsonSchema = Record<string, unknown>
type ReferTo = (schema: TSchema) => string | undefined // where the document has it already

/**
 * A schema of ours as JSON Schema 2020-12, which OpenAPI 3.1 speaks. TypeBox is nearly there: left
 * to do are its regular expressions, a format of our own, and unions that are lists of words.
 */
export function jsonSchemaOf(schema: TSchema, referTo: ReferTo): JsonSchema {
  const $ref = referTo(schema)
  return $ref ? { $ref } : writtenOut(schema, referTo)
}

/** The same of a schema that gets a place of its own. */
export function writtenOut(schema: TSchema, referTo: ReferTo): JsonSchema {
  const of = (part: TSchema) => jsonSchemaOf(part, referTo)
  const said = schema.description && { description: schema.description }

  if (KindGuard.IsRegExp(schema)) return { type: "string", ...lengthOrPattern(schema), ...said }
  if (schema.anyOf) return { ...union(schema.anyOf, of), ...said }
  if (schema.type === "array") return { ...schema, items: of(schema.items) }
  if (KindGuard.IsRecord(schema)) return { type: "object", ...said }
  if (schema.type === "object") {
    const fields = Object.entries<TSchema>(schema.properties)
    const properties = Object.fromEntries(fields.map(([name, field]) => [name, of(field)]))
    return { ...schema, properties }
  }
  const { format: _format, ...rest } = schema // only TypeBox knows it
  return rest
}

/** TypeBox counts UTF-16 units where we, as JSON Schema does, count characters. */
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
