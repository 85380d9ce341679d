import { KindGuard, type TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** Leaves out of a checked value what its schema does not know. */
export type Known = (value: any) => any // any: the check has seen it

/**
 * Value.Clean() looks at the schema for each value anew. This looks once, and makes a function of
 * what it sees. Null: there is nothing in such a value to leave out.
 */
export function knownOf(schema: TSchema): Known | null {
  if (KindGuard.IsObject(schema)) return fieldsOf(schema.properties)
  if (KindGuard.IsArray(schema)) {
    const item = knownOf(schema.items)
    return item && (list => list.map(item))
  }
  if (KindGuard.IsUnion(schema)) {
    return schema.anyOf.some(knownOf) ? value => Value.Clean(schema, value) : null
  }
  return isPlain(schema) ? null : value => Value.Clean(schema, value)
}

function fieldsOf(properties: Record<string, TSchema>): Known {
  const fields = Object.entries(properties).map(([name, field]) => [name, knownOf(field)] as const)
  return value => {
    const known: Record<string, unknown> = {}
    for (const [name, clean] of fields) {
      const field = value[name]
      if (field !== undefined) known[name] = clean ? clean(field) : field
    }
    return known
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
