import { words } from "../words/en/postbacks"
import type { Vocabulary } from "./postback"

/** What a dialect means otherwise than the others. */
export function dialectText({ dialects }: Vocabulary, dialect: string): string {
  const differences = dialects.find(({ name }) => name === dialect)?.differences ?? []
  const list = differences.map(({ name, macro }) => words.difference(name, macro))
  if (dialect === "affise") list.push(words.affiseStatus)
  if (list.length === 0) return words.dialectHint
  return words.differs(words.dialects[dialect] ?? dialect, list.join(", "))
}
