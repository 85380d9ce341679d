import { KindGuard, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** Returns a checked value without the fields that its schema does not know. */
export type Clean = (value: any) => any // any: the value has passed the schema's check

/**
 * Compiles a schema to a function that drops unknown fields. Value.Clean() would walk the schema
 * again for every value. Null: values of this schema cannot have unknown fields.
 */
export function cleanerOf(schema: TSchema): Clean | null {
  if (KindGuard.IsObject(schema)) return objectCleaner(schema.properties)
  if (KindGuard.IsArray(schema)) {
    const item = cleanerOf(schema.items)
    return item && (list => list.map(item))
  }
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf.some(cleanerOf) ? value => Value.Clean(schema, value) : null
  }
  return isPlain(schema) ? null : value => Value.Clean(schema, value)
}

function objectCleaner(properties: Record<string, TSchema>): Clean {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, cleanerOf(field)] as const,
  )
  return value => {
    const kept: Record<string, unknown> = {}
    for (const [name, clean] of fields) {
      const field = value[name]
      if (field !== undefined) kept[name] = clean ? clean(field) : field
    }
    return kept
  }
}

const isPlain = (schema: TSchema): boolean =>
  KindGuard.IsString(schema) ||
  KindGuard.IsRegExp(schema) ||
  KindGuard.IsNumber(schema) ||
  KindGuard.IsInteger(schema) ||
  KindGuard.IsBoolean(schema) ||
  KindGuard.IsLiteral(schema) ||
  KindGuard.IsNull(schema) ||
  KindGuard.IsUnknown(schema)
