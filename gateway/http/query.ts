import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { parse } from "../../lib/bus/operation"
import { Fault } from "../../lib/fault"
import { Name, Page } from "../../lib/fields"
import { isStorable } from "./text"

/** Whether a request only reads: it has no body. */
export const isRead = ({ method }: Request) => method === "GET" || method === "HEAD"

/** The parameters of a query as texts, the first of each name. Empty ones count as absent. */
export function queryOf<Schema extends TSchema>(request: Request, schema: Schema): Static<Schema> {
  return parse(schema, parametersOf(request))
}

/** The page of a list that the query selects (contract 1). */
export function pageOf(request: Request): Page {
  const { page = "1", pageSize = "10" } = parametersOf(request)
  return parse(Page, { page: integer(page), pageSize: integer(pageSize) })
}

/** The id in a path. Throws "missing" for anything but a positive integer (contract 1). */
export function pathId(text: string | undefined): number {
  const id = idIn(text)
  if (id !== null) return id
  throw new Fault("missing", "Not found.")
}

/** The id in a path, or null where it is none: for routes that must identify the caller first. */
export function idIn(text: string | undefined): number | null {
  const id = text === undefined ? Number.NaN : integer(text)
  return typeof id === "number" && id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : null
}

/**
 * The advertiser's own key at the end of a path, decoded here, since the router decodes invalid
 * escapes to something else. Throws "missing" for what cannot be a key (contract 1).
 */
export function lastOf({ url }: Request): string {
  const [path = ""] = url.split(/[?#]/, 1)
  const name = decoded(path.slice(path.lastIndexOf("/") + 1))
  if (name !== null && Value.Check(Name, name)) return name
  throw new Fault("missing", "Not found.")
}

/**
 * Refuses what PostgreSQL cannot store: NUL, lone surrogates and bytes that are not UTF-8. Only
 * escapes can bring them into a query.
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

/** Null: not a text that can be stored. */
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
