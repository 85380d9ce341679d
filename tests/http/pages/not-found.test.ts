import { describe, expect, test } from "bun:test"
import { url } from "../../support/world"

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const get = (path: string, accept: string, method = "GET") =>
  fetch(`${url}${path}`, { method, headers: { accept } })

describe("an unknown path", () => {
  test("is 404 with a page where Accept prefers HTML", async () => {
    const response = await get("/no/such<page>", BROWSER)
    expect(response.status).toBe(404)
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self'")
    expect(response.headers.get("cache-control")).toBe("no-store")
    const text = await response.text()
    expect(text).toContain("<h1>There is nothing at this address</h1>")
    expect(text).not.toContain("such<page>")
  })

  test.each([
    ["Accept is anything", "/no-such-page", "*/*", "GET"],
    ["Accept prefers JSON", "/no-such-page", "application/json, text/html;q=0.9", "GET"],
    ["it refuses HTML", "/no-such-page", "text/html;q=0", "GET"],
    ["the path is below /api/", "/api/no-such-path", BROWSER, "GET"],
    ["it is a write", "/no-such-page", BROWSER, "POST"],
  ])("is 404 in JSON where %s", async (_case, path, accept, method) => {
    const response = await get(path, accept, method)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: "Not found." })
  })

  test("is 405 in JSON where the path has other methods", async () => {
    const response = await get("/api/auth/sign-in", BROWSER)
    expect({ status: response.status, ...(await response.json()) }).toEqual({
      status: 405,
      error: "Method GET is not allowed here.",
    })
  })
})
