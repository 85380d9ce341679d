import { expect, test } from "bun:test"
import { join } from "node:path"

const web = join(import.meta.dir, "../../web")

/** Text between tags, and texts of attributes that people read. */
const SENTENCE = />\s*[A-Za-z][\w\s.,'’!?–-]*</
const ATTRIBUTE = /\b(?:aria-label|title|placeholder|label|alt|caption)="[^"]*[A-Za-z]/

const NAMES = />\s*Tributary\s*</g // the product's name is the same in every language

async function sources() {
  const found: [string, string][] = []
  for await (const file of new Bun.Glob("**/*.tsx").scan(web)) {
    found.push([file, await Bun.file(join(web, file)).text()])
  }
  return found
}

test("a sentence outside of words/ is found", () => {
  expect(SENTENCE.test("<p>\n  Hello there\n</p>")).toBe(true)
  expect(SENTENCE.test("<p>{words.hello}</p>")).toBe(false)
  expect(ATTRIBUTE.test('<nav aria-label="Menu">')).toBe(true)
})

test("every sentence of the pages is in words/", async () => {
  const outside = (await sources())
    .filter(([, text]) => {
      const markup = text.replace(NAMES, "><").replace(/=>/g, "")
      return SENTENCE.test(markup) || ATTRIBUTE.test(markup)
    })
    .map(([file]) => file)
  expect(outside).toEqual([])
})

test("no page has inline styles, or makes HTML of text", async () => {
  const forbidden = /\bstyle=|innerHTML|insertAdjacentHTML|document\.write|\balert\(|\bconfirm\(/
  expect(
    (await sources()).filter(([, text]) => forbidden.test(text)).map(([file]) => file),
  ).toEqual([])
})
