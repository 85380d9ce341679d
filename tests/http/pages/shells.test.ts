import { describe, expect, test } from "bun:test"
import { SCREENS } from "../../../web/screens"
import { send, url } from "../../support/world"

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

const paths = Object.values(SCREENS).map(({ path }) => path.replace(/:\w+/g, "1"))

const filesOf = (html: string) => [...html.matchAll(/"(\/web\/[^"]+)"/g)].map(([, path]) => path!)

describe("a page", () => {
  test.each(paths)("%s is a shell under a strict policy, the same for everyone", async path => {
    const { status, headers, body: text } = await send("GET", path)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toBe(POLICY)
    expect(headers.get("cache-control")).toBe("no-cache")
    expect(text).toStartWith("<!doctype html>")
    expect(text).toContain("<noscript>")
    expect(text).not.toMatch(/<script>|style=|undefined/)

    const current = await send("GET", path, { headers: { "if-none-match": headers.get("etag")! } })
    expect(current.status).toBe(304)
  })

  test("names files that exist, may be kept for a year, and are compressed", async () => {
    const { body: text } = await send("GET", paths[0]!)
    const files = filesOf(text)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const file of files) {
      const { status, headers } = await fetch(`${url}${file}`)
      expect({ file, status }).toEqual({ file, status: 200 })
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(headers.get("content-encoding")).toBe("gzip")
      expect(headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/)
    }
  })

  test("with a query that cannot be stored is 400, in JSON", async () => {
    const { status, headers, body } = await send("GET", `${paths[0]}?a=%00`)
    expect({ status, error: body.error }).toEqual({ status: 400, error: expect.any(String) })
    expect(headers.get("content-type")).toStartWith("application/json")
  })
})

describe("a file that is gone", () => {
  test.each(["/web/main-00000000.js", "/web/..%2fbuild.ts", "/web/constructor"])(
    "%s is 404",
    async path => {
      expect(await send("GET", path)).toMatchObject({
        status: 404,
        body: { error: "There is no such file. Reload the page." },
      })
    },
  )
})
