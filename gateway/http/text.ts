import { Fault } from "../../lib/fault"

const DEPTH_MAX = 16

/**
 * Refuses NUL and lone surrogates, which PostgreSQL cannot store, in any text of a body, and deep
 * nesting (behaviour 1.7.1, 1.5). In decoded UTF-8 only \u escapes can produce such characters, so
 * texts are checked only if `mayEscape`. Throws "invalid".
 */
export function refuseUnstorable(body: object, mayEscape: boolean) {
  let field = "" // of the body, to name it in the refusal
  const walk = (value: unknown, depth: number) => {
    if (typeof value === "string" && mayEscape && !isStorable(value)) {
      throw new Fault("invalid", `${nameOf(field)} contains NUL or a lone surrogate.`)
    }
    if (typeof value !== "object" || value === null) return
    if (depth > DEPTH_MAX) {
      throw new Fault("invalid", `${nameOf(field)} is nested more than ${DEPTH_MAX} levels deep.`)
    }
    for (const key in value) {
      if (depth === 1) field = key
      if (mayEscape) walk(key, depth)
      walk((value as Record<string, unknown>)[key], depth + 1)
    }
  }
  walk(body, 1)
}

/** Callers may invent names of any length and content: only plain ones are repeated to them. */
const nameOf = (field: string) => (/^\w{1,64}$/.test(field) ? field : "The body")

export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()
