import { describe, expect, test } from "bun:test"
import { bundleOf } from "../../gateway/routes/pages/bundle"
import { ROUTES } from "../../gateway/routes/routes"
import { names } from "./addresses"

const KB = 1_000
const ENTRY_MAX = 32 * KB
const STYLE_MAX = 10 * KB
const CHUNK_MAX = 12 * KB
const WITH_CHART_MAX = 75 * KB
const ALL_MAX = 240 * KB

const bundle = await bundleOf(ROUTES)
const gzipped = new Map(
  [...bundle.files].map(([name, { text }]) => [name, Bun.gzipSync(text, { level: 9 }).length]),
)

/** The files that a script loads with it, itself included; `isLazy` counts what it loads later, too. */
function loadedBy(name: string, isLazy = false, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const { text } = bundle.files.get(name)!
  const pattern = isLazy
    ? /"(?:\.|\/web)\/([\w-]+\.js)"/g
    : /(?:from|import)\s*"(?:\.|\/web)\/([\w-]+\.js)"/g
  for (const [, next] of text.matchAll(pattern)) loadedBy(next!, isLazy, found)
  return found
}
const sizeOf = (files: Iterable<string>) =>
  [...files].reduce((sum, name) => sum + gzipped.get(name)!, 0)

const entry = loadedBy(bundle.script)

describe("compressed, ", () => {
  test(`the script that every page loads has at most ${ENTRY_MAX} bytes`, () => {
    expect(sizeOf(entry)).toBeLessThanOrEqual(ENTRY_MAX)
  })

  test(`the style has at most ${STYLE_MAX} bytes`, () => {
    expect(sizeOf([bundle.style])).toBeLessThanOrEqual(STYLE_MAX)
  })

  test.each(names)(`%s adds at most ${CHUNK_MAX} bytes of its own`, name => {
    expect(gzipped.get(bundle.chunks.get(name)!)).toBeLessThanOrEqual(CHUNK_MAX)
  })

  test.each(names)(`%s loads at most ${WITH_CHART_MAX} bytes first, with all its parts`, name => {
    const files = loadedBy(bundle.chunks.get(name)!, true, new Set(entry))
    expect(sizeOf([...files, bundle.style])).toBeLessThanOrEqual(WITH_CHART_MAX)
  })

  test(`all files together have at most ${ALL_MAX} bytes`, () => {
    expect(sizeOf(bundle.files.keys())).toBeLessThanOrEqual(ALL_MAX)
  })
})
