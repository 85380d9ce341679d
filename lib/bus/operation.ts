import type { Static, TSchema } from "@sinclair/typebox"
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler"
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors"
import { type Clean, cleanerOf } from "../clean-unknown-fields"
import { Fault } from "../fault"

/**
 * A question that a service answers. Its subject is service.noun.verb. `is_packed`: what waits in
 * one turn of the event loop travels as one message (packet.ts), each with its own answer.
 */
export type Operation<In extends TSchema = TSchema, Out extends TSchema = TSchema> = {
  subject: string
  request: In
  reply: Out
  is_packed?: boolean
}
export type RequestOf<Op extends Operation> = Static<Op["request"]>
export type ReplyOf<Op extends Operation> = Static<Op["reply"]>

export const operation = <In extends TSchema, Out extends TSchema>(
  subject: string,
  terms: { request: In; reply: Out; is_packed?: boolean },
): Operation<In, Out> => ({ subject, ...terms })

/** A function for each operation of a contract module: forget one and it does not compile. */
export type Answers<Module> = {
  [Name in keyof Module as Module[Name] extends Operation ? Name : never]: Answer<Module[Name]>
}
type Answer<Op> = Op extends Operation ? (request: RequestOf<Op>) => Promise<ReplyOf<Op>> : never

type Compiled = { check: TypeCheck<TSchema>; strip: Clean }
const compiled = new WeakMap<TSchema, Compiled>()

/** Returns `value` without the fields that `schema` does not know. Throws Fault "invalid". */
export function parse<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const { check, strip } = compiledOf(schema)
  if (!check.Check(value)) throw new Fault("invalid", sentence(firstError(schema, value)))
  const parsed = strip(value) as Static<Schema>
  for (const name in Object(parsed)) {
    if (Object.is(parsed[name as never], -0)) throw new Fault("invalid", `${name} must not be -0.`)
  }
  return parsed
}

type Explained = Pick<ValueError, "type" | "path" | "schema">

/** TypeBox names no error of a number that must match a pattern or be null: it is found here. */
function firstError(schema: TSchema, value: unknown): Explained {
  const error = compiledOf(schema).check.Errors(value).First()
  if (error) return error
  const given = Object(value)
  const fields = Object.entries<TSchema>(schema.properties ?? {})
  const isWrong = ([name, field]: [string, TSchema]) =>
    given[name] !== undefined && !compiledOf(field).check.Check(given[name])
  const [name, field] = fields.find(isWrong) ?? ["", schema]
  return { type: ValueErrorType.Union, path: `/${name}`, schema: field }
}

function compiledOf(schema: TSchema): Compiled {
  return compiled.get(schema) ?? compile(schema)
}

function compile(schema: TSchema): Compiled {
  const made = { check: TypeCompiler.Compile(schema), strip: cleanerOf(schema) ?? (value => value) }
  compiled.set(schema, made)
  return made
}

/** A description completes "the field must be …": refusals and documents share one phrase. */
function sentence({ type, path, schema }: Explained): string {
  const field = path.split("/").findLast(part => !/^\d*$/.test(part)) ?? "The body" // no index
  const problem = type === ValueErrorType.ObjectRequiredProperty ? "is missing: it must" : "must"
  return `${field} ${problem} be ${schema.description ?? schema.type}.`
}
