import type { BunPlugin } from "bun"

/**
 * An invented language whose words are some 40 % longer than English ones. It wraps what the files
 * of web/words/en export, when the pages are bundled.
 */
export const longLanguage: BunPlugin = {
  name: "long language",
  setup(build) {
    build.onLoad({ filter: /\/web\/words\/en\/[\w-]+\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      const names: string[] = []
      const hidden = source.replace(/^export const (\w+)/gm, (_, name: string) => {
        names.push(name)
        return `const short_${name}`
      })
      const exports = names.map(name => `export const ${name} = lengthened(short_${name})`)
      return { loader: "ts", contents: [hidden, lengthened.toString(), ...exports].join("\n") }
    })
  },
}

/** A text, or whatever holds texts, in the long language. */
export function lengthened(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replace(/\p{L}{2,}/gu, word => word + word.slice(0, Math.ceil(word.length * 0.4)))
  }
  if (typeof value === "function") {
    return (...args: unknown[]) => lengthened(value(...args))
  }
  if (Array.isArray(value)) return value.map(lengthened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lengthened(each)]))
}
