import type { Dialect } from "./aliases"
import { type Part, partsOf } from "./template-parts"

/**
 * Encodes a value for a path, a query or a form: all but the unreserved characters of RFC 3986. Half
 * a surrogate pair has no encoding and becomes U+FFFD.
 */
export const percentEncode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * What is wrong with a percent-encoded template, or null. `placeProblem` says what is wrong with a
 * macro that follows `before`, where an x stands for each macro.
 */
export function findEncodedProblem(
  template: string,
  dialect: Dialect,
  placeProblem: (before: string) => string | null,
): string | null {
  let before = ""
  for (const part of partsOf(template, dialect)) {
    const problem = partProblem(part) ?? (typeof part === "string" ? null : placeProblem(before))
    if (problem !== null) return problem
    before += typeof part === "string" ? part : "x"
  }
  return null
}

/** A value in the name of a parameter could pose as another parameter. `before` is its query or form. */
export const nameProblem = (before: string): string | null =>
  before.split("&").at(-1)!.includes("=")
    ? null
    : "may have macros in the values of parameters only, not in their names."

function partProblem(part: Part): string | null {
  if (typeof part === "object") return "problem" in part ? part.problem : null
  if (/[\s\p{Cc}\\]/u.test(part)) {
    return "must not have spaces, control characters or backslashes: percent-encode them."
  }
  // A value after a lone % would be read as a part of an encoded character.
  return /%(?![\dA-Fa-f]{2})/.test(part) ? "must have % written as %25." : null
}
