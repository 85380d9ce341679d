import { KindGuard, type TSchema, Type } from "@sinclair/typebox"
import { isValid } from "./bus/operation"
import { truncate } from "./truncate"

const REPAIR = Symbol("repair")

type Repair = (text: string) => string
type Fields = Record<string, unknown>

/**
 * Marks an optional field that only describes an event, so that `dropperOf` removes what does not
 * fit its schema. `repair` may make a text fit first.
 */
export const Descriptive = <Schema extends TSchema>(
  schema: Schema,
  repair: Repair = text => text,
) => Object.assign(Type.Optional(schema), { [REPAIR]: repair })

export const cutAt =
  (characters: number): Repair =>
  text =>
    truncate(text, characters)

/**
 * Returns a function that repairs the descriptive fields of an event, or removes them: a malformed
 * one counts as absent, and never costs the event (behaviour 1.7.3). Call it before the event is
 * checked. The schema is read once, because clicks are many.
 */
export function dropperOf(schema: TSchema): (fields: Fields) => void {
  const marked = Object.entries<TSchema>(schema.properties).flatMap(([name, field]) => {
    const repair: Repair | undefined = field[REPAIR as never]
    return repair ? [{ name, fit: fitterOf(field, repair) }] : []
  })
  return fields => {
    for (const { name, fit } of marked) {
      const value = fields[name]
      if (value === undefined) continue
      const kept = fit(value)
      if (kept === undefined) delete fields[name]
      else fields[name] = kept
    }
  }
}

/** Returns a function that repairs the value of a field. It returns undefined if the value cannot fit the schema. */
function fitterOf(field: TSchema, repair: Repair): (value: unknown) => unknown {
  if (KindGuard.IsObject(field)) {
    const drop = dropperOf(field)
    return value => {
      if (!isObject(value)) return undefined
      drop(value)
      return value
    }
  }
  return value => {
    const repaired = typeof value === "string" ? repair(value) : value
    return isValid(field, repaired) ? repaired : undefined
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
