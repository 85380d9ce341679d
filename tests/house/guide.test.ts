import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { SCREENS } from "../../web/screens"

const root = join(import.meta.dir, "../..")
const guide = join(root, "docs/guide")
const pages = readdirSync(guide).filter(name => name.endsWith(".md"))

/** The pictures that a document names, as paths from the root. */
const picturesIn = (document: string): string[] =>
  [...readFileSync(join(root, document), "utf8").matchAll(/[\w/-]*pictures\/[\w-]+\.webp/g)].map(
    ([path]) => (document.includes("/") ? join("docs/guide", path) : path),
  )

const named = new Set(["README.md", ...pages.map(page => `docs/guide/${page}`)].flatMap(picturesIn))

test("every picture that a document names exists, and every picture is named", () => {
  const stored = readdirSync(join(guide, "pictures")).map(file => `docs/guide/pictures/${file}`)
  expect([...named].sort()).toEqual(stored.sort())
})

test("every screen has its picture in the guide", () => {
  const without = Object.keys(SCREENS).filter(
    name => !named.has(`docs/guide/pictures/${name.replaceAll("/", "-")}-light.webp`),
  )
  expect(without).toEqual(["account/home"]) // which only leads on
})

test("every page of the guide is linked from its contents, and links only what exists", () => {
  const contents = readFileSync(join(guide, "README.md"), "utf8")
  for (const page of pages) {
    if (page !== "README.md") expect(contents).toContain(`](${page})`)
    const text = readFileSync(join(guide, page), "utf8")
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path!)
    expect(
      links.filter(path => !existsSync(join(guide, path))),
      page,
    ).toEqual([])
  }
})

test("the guide to webhooks shows its receivers as they are tested", () => {
  const text = readFileSync(join(root, "docs/webhooks.md"), "utf8")
  const shown = [...text.matchAll(/^```(?:js|ts|php|python)\n([\s\S]*?)^```$/gm)].map(
    ([, code]) => code,
  )
  const receivers = join(root, "docs/receivers")
  const tested = readdirSync(receivers).map(file => readFileSync(join(receivers, file), "utf8"))
  expect(shown.toSorted()).toEqual(tested.toSorted())
})
