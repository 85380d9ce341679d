import type { Dialect } from "./aliases"
import { findEncodedProblem, nameProblem, percentEncode } from "./percent-encoding"
import type { PostbackValues } from "./postback-values"
import { writeParts } from "./template-parts"

/** What is wrong with the template of a URL, or null. Where it may lead is checked elsewhere. */
export function findUrlProblem(template: string, dialect: Dialect): string | null {
  // A third slash is refused because URL parsers skip it, and read a host where a path seems to be.
  if (!/^https?:\/\/[^/?#]/i.test(template)) return "must begin with https:// and a host."
  const problem = findEncodedProblem(template, dialect, placeProblem)
  return problem ?? (URL.canParse(template) ? null : "must be a valid URL.")
}

/** Fills a checked template. Values stay in their path segment or parameter (invariant B2). */
export function fillUrl(template: string, dialect: Dialect, values: PostbackValues): string {
  const filled = writeParts(template, dialect, macro => percentEncode(macro.textOf(values)))
  const [, origin, path, rest] = /^(\w+:\/\/[^/?#]+)([^?#]*)(.*)$/.exec(filled) as string[]
  return new URL(origin + path!.split("/").map(withoutDots).join("/") + rest).href
}

const BEFORE_PATH = /^https?:\/\/[^/?#]*$/i

function placeProblem(before: string): string | null {
  if (BEFORE_PATH.test(before) || before.includes("#")) {
    return "may have macros in its path and query only."
  }
  const query = before.indexOf("?")
  return query >= 0 ? nameProblem(before.slice(query + 1)) : null
}

/** URL parsers take these segments for steps up the path, also if they are encoded. */
const withoutDots = (segment: string) => (/^(\.|%2e){1,2}$/i.test(segment) ? "" : segment)
