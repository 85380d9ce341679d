import { readFileSync } from "node:fs"

const FAILURE =
  /<testcase name="([^"]*)" classname="([^"]*)"[^>]* file="([^"]*)" line="(\d+)"[^>]*>\s*<failure [^>]*?message="([^"]*)"/g
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

/** Each failed test: its place, its name and what it said. */
export function failuresOf(path: string): string[] {
  return [...textOf(path).matchAll(FAILURE)].map(match => {
    const [name, group, file, line, message] = match.slice(1).map(unescaped)
    return `(fail) ${file}:${line} ${[group, name].filter(Boolean).join(" > ")}\n${message!.trim()}`
  })
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
