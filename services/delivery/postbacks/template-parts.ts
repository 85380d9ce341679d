import { type Dialect, macroNameOf } from "./aliases"
import { MACROS, type Macro } from "./macros"
import type { PostbackStatus, PostbackValues } from "./postback-values"
import { readValueMap } from "./value-map"

/** A piece of a template: literal text, a macro, or what keeps it from being a macro. */
export type Part = string | (Macro & { written: string }) | { problem: string }

/** A macro as it is written, with its name and its map. */
const MACRO = /\{([A-Za-z_]\w*)(?::([^{}"]*))?\}/g

/** Splits a text of a template into literal text and macros. No text is left out. */
export function partsOf(text: string, dialect: Dialect): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: written, 1: name, 2: map, index } of text.matchAll(MACRO)) {
    if (index > end) parts.push(literal(text.slice(end, index)))
    const macro = readMacro(name!, map, dialect)
    parts.push("problem" in macro ? macro : { ...macro, written })
    end = index + written.length
  }
  if (end < text.length) parts.push(literal(text.slice(end)))
  return parts
}

/** Replaces each macro of a text by what `write` makes of it. The result is not looked at again. */
export const writeParts = (text: string, dialect: Dialect, write: (macro: Macro) => string) =>
  partsOf(text, dialect)
    .map(part => (typeof part === "string" ? part : write(validMacro(part))))
    .join("")

export const problemsIn = (parts: Part[]): string[] =>
  parts.flatMap(part => (typeof part === "object" && "problem" in part ? part.problem : []))

const literal = (text: string): Part =>
  /[{}]/.test(text) ? { problem: "has a { or } that does not belong to a macro." } : text

function readMacro(
  name: string,
  map: string | undefined,
  dialect: Dialect,
): Macro | { problem: string } {
  if (PERSONAL.has(name)) {
    return { problem: `may not have {${name}}: no customer's data is sent in postbacks.` }
  }
  const known = macroNameOf(name, dialect)
  if (known === null) return { problem: `has an unknown macro, {${name}}.` }

  if (map !== undefined) {
    const mapped = readValueMap(known, map)
    return "problem" in mapped ? mapped : { ...mapped, isNumber: false }
  }
  return known === "status" && dialect === "affise" ? AFFISE_STATUS : MACROS[known]
}

const PERSONAL = new Set(["ip", "email", "customer_key"])

const AFFISE_CODES: Record<PostbackStatus, string> = {
  approved: "1",
  paid: "1",
  pending: "2",
  rejected: "3",
  reversed: "3",
  held: "5",
}
const AFFISE_STATUS: Macro = {
  textOf: ({ status }: PostbackValues) => (status === null ? "" : AFFISE_CODES[status]),
  isNumber: true,
}

function validMacro(part: Exclude<Part, string>): Macro {
  if ("problem" in part) throw new Error(`A template that was not checked ${part.problem}`)
  return part
}
