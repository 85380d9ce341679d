import { expect, test } from "bun:test"
import { join } from "node:path"
import { ROUTES } from "../../gateway/routes/routes"
import { SCREENS } from "../../web/screens"

const root = join(import.meta.dir, "../..")

/** The tests of routes. The access matrix calls every route, so it does not count. */
async function testTexts(): Promise<string> {
  const texts: string[] = []
  for await (const file of new Bun.Glob("tests/{http,browser,pages}/**/*.test.ts").scan(root)) {
    if (!file.startsWith("tests/http/access/")) texts.push(await Bun.file(join(root, file)).text())
  }
  return texts.join("\n")
}

/** The last part of a path that is not a parameter, as tests write it: /approve or "approve". */
const lastFixedPart = (path: string) => {
  const part = path.split("/").findLast(part => part && !part.startsWith(":"))
  return new RegExp(`["/\`]${part}\\b`)
}

test("each route has a test", async () => {
  const texts = await testTexts()
  const screens: string[] = Object.values(SCREENS).map(({ path }) => path)
  const paths = ROUTES.map(({ declaration }) => declaration.path).filter(
    path => !screens.includes(path), // tests/http/pages opens each
  )
  expect(paths.filter(path => !lastFixedPart(path).test(texts))).toEqual([])
})
