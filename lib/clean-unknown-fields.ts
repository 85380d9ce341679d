import { KindGuard, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** Leaves out of a checked value what its schema does not know. */
export type Clean = (value: any) => any // any: the check has seen it

/**
 * Value.Clean() looks at the schema for each value anew. This looks once, and makes a function of
 * what it sees. Null: there is nothing in such a value to leave out.
 */
export function cleanerOf(schema: TSchema): Clean | null {
  if (KindGuard.IsObject(schema)) return stripFields(schema.properties)
  if (KindGuard.IsArray(schema)) {
    const item = cleanerOf(schema.items)
    return item && (list => list.map(item))
  }
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf.some(cleanerOf) ? value => Value.Clean(schema, value) : null
  }
  return isPlain(schema) ? null : value => Value.Clean(schema, value)
}

function stripFields(properties: Record<string, TSchema>): Clean {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, cleanerOf(field)] as const,
  )
  return value => {
    const kept: Record<string, unknown> = {}
    for (const [name, strip] of fields) {
      const field = value[name]
      if (field !== undefined) kept[name] = strip ? strip(field) : field
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
