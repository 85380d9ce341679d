import { describe, expect, test } from "bun:test"
import { url } from "../support/world"

const get = (path: string, headers = {}) => fetch(new URL(path, url), { headers })

describe.each(["/service-tracker.js", "/js/service-tracker.js"])("GET %s", path => {
  test("returns a script that any site may load", async () => {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=300",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    })
  })

  test("is at most 4 KiB gzipped", async () => {
    const text = await (await get(path, { "accept-encoding": "identity" })).text()
    expect(Bun.gzipSync(text).byteLength).toBeLessThanOrEqual(4 * 1024)
    expect(text).toBe(await (await get(path, { "accept-encoding": "gzip" })).text())
    expect(text).not.toMatch(/\bimport\b|\brequire\b/)
  })

  test("returns 304 to a browser that has the current script", async () => {
    const etag = (await get(path)).headers.get("etag")!
    const again = await get(path, { "if-none-match": `"other", ${etag}` })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200)
  })
})
