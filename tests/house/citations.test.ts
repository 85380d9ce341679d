import { expect, test } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const CITATION = /\bbehaviour ((?:\d+(?:\.\d+)*(?:, | and )?)+)/g

/** The numbers of the sections of docs/behaviour, which are its chapters and their headings. */
async function sections(): Promise<Set<string>> {
  const numbers = new Set<string>()
  for await (const file of new Bun.Glob("docs/behaviour/*.md").scan(root)) {
    const headings = (await Bun.file(join(root, file)).text()).matchAll(/^#+ (\d+(?:\.\d+)*) /gm)
    for (const [, number] of headings) numbers.add(number!)
  }
  return numbers
}

const citedIn = (text: string): string[] =>
  [...text.matchAll(CITATION)].flatMap(([, numbers]) => numbers!.match(/\d+(\.\d+)*/g)!)

test("citations are found, in lists as well", () => {
  expect(citedIn("a (behaviour 4.3.2), b (behaviour 1.2 and 99.1) ends")).toEqual([
    "4.3.2",
    "1.2",
    "99.1",
  ])
})

test("every cited section of docs/behaviour exists", async () => {
  const known = await sections()
  expect(known.size).toBeGreaterThan(100)

  const unknown: string[] = []
  for (const pattern of [
    "{gateway,services,lib,deploy,tests,bench}/**/*.{ts,sql}",
    "*.md",
    "docs/**/*.md",
  ]) {
    for await (const file of new Bun.Glob(pattern).scan(root)) {
      if (file.endsWith("citations.test.ts")) continue
      const cited = citedIn(await Bun.file(join(root, file)).text())
      unknown.push(...cited.filter(number => !known.has(number)).map(each => `${file}: ${each}`))
    }
  }
  expect(unknown).toEqual([])
})
