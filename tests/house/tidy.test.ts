import { describe, expect, test } from "bun:test"
import { dirname, join } from "node:path"

const root = join(import.meta.dir, "../..")
const files = (await Array.fromAsync(new Bun.Glob("**/*.{ts,tsx}").scan(root))).filter(
  file => !file.includes("node_modules") && !file.startsWith("."),
)
const textOf = (file: string) => Bun.file(join(root, file)).text()

/** Returns a file's imports from this repository, as paths from its root. */
async function importsOf(file: string): Promise<string[]> {
  const found = (await textOf(file)).matchAll(
    /(?:(?<!import type [^"]*)from|import\(?) ?"(\.[^"]+)"/g,
  )
  return [...found].map(([, path]) => join(dirname(file), path as string))
}

/** What the files of each folder may import. Other imports are forbidden. */
const ALLOWED: [folder: RegExp, imports: RegExp][] = [
  [/^lib\//, /^lib\//],
  [
    /^gateway\//,
    /^(gateway\/|lib\/(?!db\/|feeds\/)|services\/\w+\/contract$|web\/(build|document|screens|public\/|words\/))/,
  ],
  [/^web\//, /^web\//],
  ...["tracking", "commissions", "reporting", "identity", "delivery"].map(
    (name): [RegExp, RegExp] => [
      new RegExp(`^services/${name}/`),
      new RegExp(`^(services/${name}/|lib/|services/\\w+/contract$)`),
    ],
  ),
  [/^(deploy|tests|bench)\//, /./],
]

describe("tidy:", () => {
  test("a service imports only the contracts of others, and lib imports only lib", async () => {
    for (const file of files) {
      const [, imports] = ALLOWED.find(([folder]) => folder.test(file)) ?? [file, /^$/]
      const forbidden = (await importsOf(file)).filter(path => !imports.test(path))
      expect(forbidden, file).toEqual([])
    }
  })

  test("no file has unfinished work, silenced checks or skipped tests", async () => {
    const silenced = ["TO" + "DO", "FIX" + "ME", "@ts-" + "ignore", "biome-" + "ignore"]
    for (const file of files) {
      const text = await textOf(file)
      expect(
        silenced.filter(word => text.includes(word)),
        file,
      ).toEqual([])
      expect(/\b(test|describe|it)\.(only|skip|todo)\(/.test(text), file).toBe(false)
    }
  })

  test("the documents name only files that exist", async () => {
    const documents = new Bun.Glob("{*,bench/README,docs/*,docs/decisions/*}.md").scan(root)
    for (const document of await Array.fromAsync(documents)) {
      const named = (await textOf(document)).matchAll(/`((?:\w[\w-]*\/)+[\w-]+\.ts)`/g)
      const missing = [...named].map(([, file]) => file).filter(file => !files.includes(file!))
      expect(missing, document).toEqual([])
    }
  })

  test("files have meaningful names and at most 200 lines", async () => {
    for (const file of files) {
      expect(file).not.toMatch(
        /(^|\/)(utils?|helpers?|common|misc|shared|types|manager|index)\.tsx?$/,
      )
      const lines = (await textOf(file)).split("\n")
      if (!/contract\.ts$|\.test\.ts$/.test(file)) expect(lines.length, file).toBeLessThan(202)
    }
  })
})
