import { KindGuard, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** Leaves out of a checked value what its schema does not know. */
export type Strip = (value: any) => any // any: the check has seen it

/**
 * Value.Clean() looks at the schema for each value anew. This looks once, and makes a function of
 * what it sees. Null: there is nothing in such a value to leave out.
 */
export function stripOf(schema: TSchema): Strip | null {
  if (KindGuard.IsObject(schema)) return stripFields(schema.properties)
  if (KindGuard.IsArray(schema)) {
    const item = stripOf(schema.items)
    return item && (list => list.map(item))
  }
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf.some(stripOf) ? value => Value.Clean(schema, value) : null
  }
  return isPlain(schema) ? null : value => Value.Clean(schema, value)
}

function stripFields(properties: Record<string, TSchema>): Strip {
  const fields = Object.entries(properties).map(([name, field]) => [name, stripOf(field)] as const)
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
