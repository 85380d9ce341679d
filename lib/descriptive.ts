import { KindGuard, type TSchema, Type } from "@sinclair/typebox"
import { isValid } from "./bus/operation"
import { truncate } from "./truncate"

const REPAIR = Symbol("repair")

type Repair = (text: string) => string

/**
 * Marks an optional field that only describes an event, so that `dropMalformed` removes what does
 * not fit its schema. `repair` may make a text fit first.
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
 * Repairs the descriptive fields of an event, or removes them: a malformed one counts as absent,
 * and never costs the event (behaviour 1.7.3). Call it before the event is checked.
 */
export function dropMalformed(schema: TSchema, fields: Record<string, unknown>) {
  for (const [name, field] of Object.entries<TSchema>(schema.properties)) {
    const repair: Repair | undefined = field[REPAIR as never]
    const value = fields[name]
    if (!repair || value === undefined) continue

    if (KindGuard.IsObject(field)) {
      if (isObject(value)) dropMalformed(field, value)
      else delete fields[name]
      continue
    }
    const repaired = typeof value === "string" ? repair(value) : value
    if (isValid(field, repaired)) fields[name] = repaired
    else delete fields[name]
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
