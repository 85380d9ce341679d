import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { parse } from "../../lib/bus/operation"
import { Fault } from "../../lib/fault"
import { Name, Page } from "../../lib/fields"
import { isStorable } from "./text"

/** Whether a request only asks: its query is all that it says. */
export const isRead = ({ method }: Request) => method === "GET" || method === "HEAD"

/** The parameters of a query, each once, as texts. Those that stand there empty are absent. */
export function queryOf<Schema extends TSchema>(request: Request, schema: Schema): Static<Schema> {
  return parse(schema, parametersOf(request))
}

/** Which part of a list the query asks for (contract 1). */
export function pageOf(request: Request): Page {
  const { page = "1", pageSize = "10" } = parametersOf(request)
  return parse(Page, { page: integer(page), pageSize: integer(pageSize) })
}

/** The id in a path: what is no positive integer names nothing (contract 1). */
export function pathId(text: string | undefined): number {
  const id = idIn(text)
  if (id !== null) return id
  throw new Fault("missing", "Nothing is here.")
}

/** The same, or null where it names nothing: for whoever must first learn who asks. */
export function idIn(text: string | undefined): number | null {
  const id = text === undefined ? Number.NaN : integer(text)
  return typeof id === "number" && id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : null
}

/**
 * The name at the end of a path, as somebody else gave it. What no text could be, or none that is
 * kept, names nothing (contract 1); the router would decode it to something else.
 */
export function lastOf({ url }: Request): string {
  const [path = ""] = url.split(/[?#]/, 1)
  const name = decoded(path.slice(path.lastIndexOf("/") + 1))
  if (name !== null && Value.Check(Name, name)) return name
  throw new Fault("missing", "Nothing is here.")
}

/**
 * Refuses what PostgreSQL cannot store in any text of a query: NUL, half a surrogate pair and other
 * bytes that are no UTF-8. Only escapes can bring them in.
 */
export function refuseUnstorableQuery({ url }: Request) {
  if (!url.includes("%")) return
  const [, query = ""] = url.split("?", 2)
  const escapes = query.match(/(%[0-9a-f]{2})+/gi) ?? []
  if (escapes.every(text => decoded(text) !== null)) return
  throw new Fault("invalid", "The query contains a character that no text may contain.")
}

/** Null: it is no text that can be stored. */
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

/** Digits become a number; anything else stays, for the schema to refuse. */
const integer = (text: string): number | string =>
  /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
