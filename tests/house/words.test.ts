import { expect, test } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const glossary = await Bun.file(join(root, "docs/glossary.md")).text()

/** The last column of the glossary: words that no name and no public text may use. */
const FORBIDDEN = new Set(
  glossary
    .split("\n")
    .filter(line => line.startsWith("| ") && !line.startsWith("| word"))
    .flatMap(line => line.split("|").at(-2)!.split(","))
    .map(word => word.trim())
    .filter(Boolean),
)

const KEPT = /\bis_to[l]d\b|\bnot_ask[e]d\b/g // a column, and a result of a step of a decision

const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm

/** Forbidden words in the names and texts of a source file, that is, outside its comments. */
const forbiddenIn = (source: string): string[] =>
  source
    .replace(COMMENT, "")
    .replace(KEPT, "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter(word => FORBIDDEN.has(word.toLowerCase()))

test("the glossary's forbidden words are found in names and texts, not in comments", () => {
  expect(forbiddenIn("const ask" + "edRows = 1 // as to" + "ld")).toEqual(["ask" + "ed"])
  expect(forbiddenIn('throw new Error("No' + 'body answered.")')).toEqual(["No" + "body"])
  expect(forbiddenIn("/** Who" + "ever calls. */")).toEqual([])
})

test("names and public texts use the words of the glossary", async () => {
  const found: Record<string, string[]> = {}
  for (const folder of ["gateway", "services", "lib", "deploy", "tests", "bench", "web"]) {
    for await (const file of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
      const words = forbiddenIn(await Bun.file(join(root, file)).text())
      if (words.length > 0) found[file] = [...new Set(words)]
    }
  }
  expect(found).toEqual({})
})
