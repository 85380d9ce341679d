import type { MacroName } from "./macros"
import { POSTBACK_EVENTS, POSTBACK_STATUSES, type PostbackValues } from "./postback-values"

const WORDS = { status: POSTBACK_STATUSES, event: POSTBACK_EVENTS } as const
const ENTRY = /^([a-z]+)=([\p{L}\p{N}_.~+-]{0,64})$/u

/**
 * Reads the map of a macro like `{status:approved=1,rejected=2}`. Its keys are Tributary's words in
 * every dialect, separated by commas or spaces. A word that it does not list becomes "".
 * Returns what is wrong with a map that cannot be read.
 */
export function readValueMap(
  macro: MacroName,
  map: string,
): { textOf: (values: PostbackValues) => string } | { problem: string } {
  if (macro !== "status" && macro !== "event") {
    return { problem: "may map the values of status and event only." }
  }
  const texts = new Map<string, string>()
  for (const entry of map.trim().split(/[\s,]+/)) {
    const [, word, text] = ENTRY.exec(entry) ?? []
    if (word === undefined || text === undefined) return { problem: SHAPE }
    if (texts.has(word)) return { problem: `maps ${word} twice.` }
    if (!WORDS[macro].some(known => known === word)) {
      return { problem: `maps ${word}, but the ${macro} is one of ${WORDS[macro].join(", ")}.` }
    }
    texts.set(word, text)
  }
  return { textOf: values => texts.get(values[macro] ?? "") ?? "" }
}

const SHAPE =
  "must map values as in {status:approved=1,rejected=2}, to letters, digits, -, _, ., + and ~."
