import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { parse } from "../../lib/bus/operation"
import { Fault } from "../../lib/fault"
import { Name, Page } from "../../lib/fields"
import { isStorable } from "./text"

/** An id in a query. */
export const QueryId = Type.String({
  pattern: "^[1-9][0-9]{0,14}$",
  description: "a positive integer",
})

/** Whether a request only reads: it has no body. */
export const isRead = ({ method }: Request) => method === "GET" || method === "HEAD"

/** The parameters of a query as texts, the first of each name. Empty ones count as absent. */
export function queryOf<Schema extends TSchema>(request: Request, schema: Schema): Static<Schema> {
  return parse(schema, parametersOf(request))
}

/** The page of a list that the query selects (behaviour 1.4). */
export function pageOf(request: Request): Page {
  const { page = "1", pageSize = "10" } = parametersOf(request)
  return parse(Page, { page: integer(page), pageSize: integer(pageSize) })
}

/** The id in a path. Throws "missing" for anything but a positive integer (behaviour 1.10). */
export function pathId(text: string | undefined): number {
  const id = idIn(text)
  if (id !== null) return id
  throw new Fault("missing", "Not found.")
}

/** The id in a path, or null if it is not one: for routes that identify the caller first. */
export function idIn(text: string | undefined): number | null {
  const id = text === undefined ? Number.NaN : integer(text)
  return typeof id === "number" && id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : null
}

/** A text in a path, such as a slug. Throws "missing" for what does not have this form. */
export function pathText(text: string, form: RegExp): string {
  if (form.test(text)) return text
  throw new Fault("missing", "Not found.")
}

/**
 * The customer key in a path, the last segment of it or, with -2, the one before (behaviour 1.10).
 * It is decoded here, because the router
 * decodes invalid escapes to other text. Throws "missing" for what cannot be a key.
 */
export function pathSegment({ url }: Request, position = -1): string {
  const [path = ""] = url.split(/[?#]/, 1)
  const name = decoded(path.split("/").at(position) ?? "")
  if (name !== null && Value.Check(Name, name)) return name
  throw new Fault("missing", "Not found.")
}

/**
 * Refuses a query that PostgreSQL cannot store: NUL, lone surrogates and bytes that are not UTF-8
 * (behaviour 1.7.1). Only escapes can produce them. Throws "invalid".
 */
export function refuseUnstorableQuery({ url }: Request) {
  if (!url.includes("%")) return
  const [, query = ""] = url.split("?", 2)
  const escapes = query.match(/(%[0-9a-f]{2})+/gi) ?? []
  if (escapes.every(text => decoded(text) !== null)) return
  throw new Fault(
    "invalid",
    "The query contains NUL, a lone surrogate or bytes that are not UTF-8.",
  )
}

/** Decodes percent escapes. Null: PostgreSQL cannot store the text. */
function decoded(escaped: string): string | null {
  try {
    const text = decodeURIComponent(escaped)
    return isStorable(text) ? text : null
  } catch {
    return null
  }
}

function parametersOf(request: Request): Record<string, string> {
  refuseUnstorableQuery(request)
  const parameters: Record<string, string> = {}
  for (const [name, value] of new URL(request.url).searchParams) {
    if (value !== "" && !Object.hasOwn(parameters, name)) parameters[name] = value
  }
  return parameters
}

/** Converts digits to a number. Leaves anything else for the schema to refuse. */
const integer = (text: string): number | string =>
  /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
