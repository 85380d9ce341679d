import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox"
import type { AnyElysia } from "elysia"
import { parse } from "../../lib/bus/operation"
import { Fault } from "../../lib/fault"
import { Page } from "../../lib/fields"
import type { Program } from "../../services/identity/contract"
import type { Access, Params } from "./access"
import { type Body, fieldsIfAny, fieldsOf, formFieldsOf, readBody } from "./body"
import { gzipJson } from "./gzip"
import { pageOf, queryOf, refuseUnstorableQuery } from "./query"
import { withReportSlot } from "./report-slots"

/**
 * The declaration of a route. The handler's input, the refusals in order (behaviour 1.2),
 * /openapi.json and the types of the pages follow from it.
 */
export type Declaration = {
  id: string // the operation's name in /openapi.json: it never changes
  method: "GET" | "POST" | "PUT" | "DELETE"
  path: string
  aliases?: string[] // deprecated paths of the same operation
  summary: string
  description?: string
  access: Access
  /** Counts the call before its body is read. Throws TooMany. */
  limit?(request: Request): Promise<void> | void
  isReport?: true // few of one session run at once
  changesProgram?: true // of the path: 409 if it is archived
  query?: TObject[] // `Page` among them: the handler gets `page`
  body?: TSchema
  bodyBytesMax?: number // default: 256 KiB
  mayOmitBody?: true
  isForm?: true // the body is that of an HTML form, and refusals may be HTML
  ignoresBody?: true // whatever its type
  isBeacon?: true // navigator.sendBeacon: a body without a type, or of text/plain, is JSON too
  /** Returns the fields of the body and their schema. Default: the JSON object, against `body`. */
  read?(body: Body, request: Request): { schema: TSchema; fields: Record<string, unknown> }
  /** Called after each reply or refusal. It must not fail or wait. */
  observe?(call: AnsweredCall): void
  texts?: string[] // the content types of replies that are not JSON
  /** By status: the schema of the reply, or the sentence of a refusal. Null: never sent. */
  answers: Record<number, TSchema | string | null>
}

/** A call, as far as it came. `granted`: what `authorize` returned. */
export type AnsweredCall = {
  request: Request
  body: Body | null
  granted: object | null
} & ({ answer: unknown } | { error: unknown })

type Granted<D extends Declaration> = Awaited<ReturnType<D["access"]["authorize"]>>
type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Parts<Schemas> = Schemas extends readonly (infer Part)[]
  ? Part extends TSchema
    ? Static<Part>
    : never
  : never
type Merged<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  part: infer All,
) => void
  ? All
  : never
type BodyOf<D extends Declaration> = D["body"] extends TSchema ? Static<D["body"]> : undefined

/** The input of a handler, parsed and authorized. `set` holds the status and headers. */
export type Input<D extends Declaration> = Granted<D> & {
  request: Request
  params: Record<Names<D["path"]>, string>
  query: Merged<Parts<D["query"]>>
  page: Page
  body: BodyOf<D>
  set: { status?: number | string; headers: Record<string, string | number | string[]> }
}

/** The reply of a route that does not refuse, as its 200 or 201 declares. */
export type AnswerOf<D extends Declaration> = {
  [Status in keyof D["answers"]]: D["answers"][Status] extends TSchema
    ? Static<D["answers"][Status]>
    : never
}[keyof D["answers"]]

/** A reply that the gateway does not serialize as JSON itself. */
type Raw = Response | string | Uint8Array | undefined
type Context = Pick<Input<Declaration>, "request" | "set"> & { params: Params }

export type Route<D extends Declaration = Declaration> = {
  declaration: D
  handle(context: Context): Promise<unknown>
}

/**
 * Creates a route. It checks, in this order: the rate limits (429), the size and type of the body
 * (413, 415), the credential (401), the path (404, 403), the query and the body (400), and for a
 * change whether the program is archived (409). Then it runs `work`. If a 201 is declared, it is the status of the reply.
 */
export function route<const D extends Declaration>(
  declaration: D,
  work: (input: Input<D>) => Promise<AnswerOf<D> | Raw> | AnswerOf<D> | Raw,
): Route<D> {
  const { method, access, limit, isReport, changesProgram, observe, answers } = declaration
  const readInput = inputReader(declaration)
  const isWrite = method !== "GET"
  const isCreation = 201 in answers

  async function handle({ request, params, set }: Context) {
    let body: Body | null = null
    let granted: object | null = null
    try {
      if (limit) await limit(request)
      if (isWrite) body = await readBody(request, declaration)
      granted = (await access.authorize(request, params, body)) as object
      const given = readInput(request, body)
      if (changesProgram) refuseArchived(granted as { program: Program })
      const input = Object.assign({ request, params, set }, granted, given)
      const answer = await work(input as unknown as Input<D>)
      if (isCreation) set.status = 201
      observe?.({ request, body, granted, answer })
      return answer
    } catch (error) {
      observe?.({ request, body, granted, error })
      throw error
    }
  }
  if (!isReport) return { declaration, handle }
  return {
    declaration,
    handle: context => withReportSlot(context.request, () => handle(context)),
  }
}

/** An archived program and all that belongs to it can only be read (behaviour 3.2.1). */
function refuseArchived({ program }: { program: Program }) {
  if (program.status !== "archived") return
  throw new Fault("conflict", "The program is archived and can no longer be changed.")
}

/** Reads query and body as declared. Throws "invalid". */
function inputReader({ query = [], body: schema, mayOmitBody, isForm, read, method }: Declaration) {
  const isPaged = query.includes(Page)
  const filters = query.filter(part => part !== Page)
  const filter = filters.length > 0 ? merged(filters) : null
  const isWrite = method !== "GET"

  return (request: Request, body: Body | null) => {
    const given: { body?: unknown; query?: unknown; page?: Page } = {}
    if (isWrite && body) {
      if (read) {
        const { schema, fields } = read(body, request)
        given.body = parse(schema, fields)
      } else {
        const whole = isForm ? formFieldsOf : fieldsOf
        const fields = schema && !mayOmitBody ? whole(body) : fieldsIfAny(body)
        if (schema) given.body = parse(schema, fields)
      }
    }
    if (isPaged) given.page = pageOf(request)
    if (filter) given.query = queryOf(request, filter)
    return given
  }
}

const merged = (parts: TObject[]): TSchema =>
  parts.length === 1 ? parts[0]! : Type.Object(Object.assign({}, ...parts.map(p => p.properties)))

/**
 * Adds each route at each of its paths. The route parses the body itself, because 401 precedes 400.
 * The handler destructures its context, else Elysia would parse cookies and query, too.
 */
export function mount(app: AnyElysia, routes: readonly Route[]) {
  for (const { declaration, handle } of routes) {
    const { method, path, aliases = [] } = declaration
    const isGet = method === "GET"
    const hooks = isGet ? {} : { parse: "none" }
    const handler = isGet
      ? async ({ request, params, set }: Context) => {
          const answer = await handle({ request, params, set })
          refuseUnstorableQuery(request) // before headers that a refusal must not carry
          return gzipJson(request, set, answer)
        }
      : ({ request, params, set }: Context) => handle({ request, params, set })
    for (const each of [path, ...aliases]) app.route(method, each, handler as never, hooks as never)
  }
}

/** The schema of a reply that is not JSON (`texts`). */
export const Text = Type.String()

/** The schema of a reply without data. */
export const EmptyReply = Type.Object({ data: Type.Object({}) })

/** The schema of a single resource (behaviour 1.3). */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })
