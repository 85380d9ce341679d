import type { Dialect } from "./aliases"
import type { Macro } from "./macros"
import type { PostbackValues } from "./postback-values"
import { partsOf, problemsIn, writeParts } from "./template-parts"

/** A string, with the colon that makes it a key, or a macro outside strings. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\{[A-Za-z_]\w*(?::[^{}"]*)?\}/gs

/** What is wrong with the template of a JSON body, or null. */
export function findJsonProblem(template: string, dialect: Dialect): string | null {
  for (const [token, string, colon] of template.matchAll(TOKEN)) {
    if (colon !== undefined && /[{}]/.test(token)) return KEY_PROBLEM
    const parts = partsOf(token, dialect)
    const [problem] = problemsIn(parts)
    if (problem !== undefined) return problem
    const [bare] = parts
    if (string === undefined && typeof bare === "object" && "written" in bare && !bare.isNumber) {
      return `must have ${bare.written} in quotes: only numbers may be without.`
    }
  }
  // After half an escape like \ or \u00 an x is never valid, so no value completes one.
  return isJson(write(template, dialect, { inString: () => "x", bare: () => "null" }))
    ? null
    : "must be valid JSON."
}

/** Fills a checked template. A number without quotes is null if it is absent. */
export const fillJson = (template: string, dialect: Dialect, values: PostbackValues): string =>
  write(template, dialect, {
    inString: macro => jsonEscape(macro.textOf(values)),
    bare: macro => macro.textOf(values) || "null",
  })

type Writers = { inString: (macro: Macro) => string; bare: (macro: Macro) => string }

const write = (template: string, dialect: Dialect, { inString, bare }: Writers): string =>
  template.replace(TOKEN, (token: string, string?: string, colon?: string) => {
    if (colon !== undefined) return token
    return writeParts(token, dialect, string === undefined ? bare : inString)
  })

/** Escapes a value for a JSON string. Half a surrogate pair becomes U+FFFD: many parsers refuse it. */
const jsonEscape = (value: string): string => JSON.stringify(value.toWellFormed()).slice(1, -1)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const KEY_PROBLEM = "may have macros in the values of its JSON only, not in keys."
