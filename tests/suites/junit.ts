import { readFileSync } from "node:fs"

const FAILURE = /<testcase ([^>]*)>\s*<failure ([^>]*)>/g
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#10": "\n",
}

/** What bun's report says in sum; null where bun ended before it wrote one. */
export function countsOf(path: string) {
  const [, attributes] = /<testsuites ([^>]*)>/.exec(textOf(path)) ?? []
  if (!attributes) return null
  const of = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(attributes)![1])
  const [tests, failed, skipped] = [of("tests"), of("failures"), of("skipped")]
  return { passed: tests - failed - skipped, failed, skipped }
}

/**
 * Each failed test: its place, its name and what it said. A failed hook is a test without a line, an
 * error without a message says only its type.
 */
export function failuresOf(path: string): string[] {
  return [...textOf(path).matchAll(FAILURE)].map(([, test, failure]) => {
    const place = [attribute(test!, "file"), attribute(test!, "line")].filter(Boolean).join(":")
    const name = [attribute(test!, "classname"), attribute(test!, "name")].filter(Boolean)
    const said = attribute(failure!, "message") || attribute(failure!, "type")
    return `(fail) ${place} ${name.join(" > ")}\n${said.trim()}`
  })
}

function attribute(attributes: string, name: string): string {
  const [, value] = new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes) ?? []
  return unescaped(value ?? "")
}

function unescaped(text: string): string {
  return text.replace(/&(.+?);/g, (whole, entity) => ENTITIES[entity] ?? whole)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
