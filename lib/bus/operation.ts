import type { Static, TSchema } from "@sinclair/typebox"
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler"
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors"
import { type Clean, cleanerOf } from "../clean-unknown-fields"
import { Fault } from "../fault"

/**
 * A request and its reply. Its subject is service.noun.verb. `is_packed`: requests of the same
 * event loop turn travel as one message (packet.ts), and each gets its own reply.
 */
export type Operation<In extends TSchema = TSchema, Out extends TSchema = TSchema> = {
  subject: string
  request: In
  reply: Out
  is_packed?: boolean
}
export type RequestOf<Op extends Operation> = Static<Op["request"]>
export type ReplyOf<Op extends Operation> = Static<Op["reply"]>

/** Declares an operation of a contract. */
export const operation = <In extends TSchema, Out extends TSchema>(
  subject: string,
  schemas: { request: In; reply: Out; is_packed?: boolean },
): Operation<In, Out> => ({ subject, ...schemas })

/** A handler for each operation of a contract module. A missing one does not compile. */
export type Handlers<Module> = {
  [Name in keyof Module as Module[Name] extends Operation ? Name : never]: HandlerOf<Module[Name]>
}
type HandlerOf<Op> = Op extends Operation ? (request: RequestOf<Op>) => Promise<ReplyOf<Op>> : never

type Compiled = { check: TypeCheck<TSchema>; clean: Clean }
const compiled = new WeakMap<TSchema, Compiled>()

/** Checks `value` and returns it without unknown fields. Throws Fault "invalid". */
export function parse<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const { check, clean } = compiledOf(schema)
  if (!check.Check(value)) throw new Fault("invalid", sentence(firstError(schema, value)))
  const parsed = clean(value) as Static<Schema>
  for (const name in Object(parsed)) {
    if (Object.is(parsed[name as never], -0)) throw new Fault("invalid", `${name} must not be -0.`)
  }
  return parsed
}

/** Whether a value fits a schema. */
export const isValid = (schema: TSchema, value: unknown): boolean =>
  compiledOf(schema).check.Check(value)

type SchemaError = Pick<ValueError, "type" | "path" | "schema">

/** TypeBox reports no error if a number stands where a pattern or null is due: find it here. */
function firstError(schema: TSchema, value: unknown): SchemaError {
  const error = compiledOf(schema).check.Errors(value).First()
  if (error) return error
  const given = Object(value)
  const fields = Object.entries<TSchema>(schema.properties ?? {})
  const isWrong = ([name, field]: [string, TSchema]) =>
    given[name] !== undefined && !isValid(field, given[name])
  const [name, field] = fields.find(isWrong) ?? ["", schema]
  return { type: ValueErrorType.Union, path: `/${name}`, schema: field }
}

function compiledOf(schema: TSchema): Compiled {
  return compiled.get(schema) ?? compile(schema)
}

function compile(schema: TSchema): Compiled {
  const result = {
    check: TypeCompiler.Compile(schema),
    clean: cleanerOf(schema) ?? (value => value),
  }
  compiled.set(schema, result)
  return result
}

/** A description completes "the field must be …". Errors and the API description share it. */
function sentence({ type, path, schema }: SchemaError): string {
  const field = path.split("/").findLast(part => !/^\d*$/.test(part)) ?? "The body" // not an index
  const problem = type === ValueErrorType.ObjectRequiredProperty ? "is missing: it must" : "must"
  return `${field} ${problem} be ${schema.description ?? schema.type}.`
}
