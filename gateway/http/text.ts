import { Fault } from "../../lib/fault"

const DEPTH_MAX = 16

/**
 * Refuses what PostgreSQL cannot store, NUL and half a surrogate pair, in any text of `value`,
 * and nesting without end. In decoded UTF-8 only a \u escape can bring such characters in:
 * without `mayEscape` the texts are not looked at.
 */
export function refuseUnstorable(value: object, what: string, mayEscape: boolean) {
  const walk = (value: unknown, depth: number) => {
    if (typeof value === "string" && mayEscape && !isStorable(value)) {
      throw new Fault("invalid", `${what} contains a character that no text may contain.`)
    }
    if (typeof value !== "object" || value === null) return
    if (depth > DEPTH_MAX) {
      throw new Fault("invalid", `${what} is nested more than ${DEPTH_MAX} levels deep.`)
    }
    for (const key in value) {
      if (mayEscape) walk(key, depth)
      walk((value as Record<string, unknown>)[key], depth + 1)
    }
  }
  walk(value, 1)
}

export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()
