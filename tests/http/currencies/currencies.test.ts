import { describe, expect, test } from "bun:test"
import { isCurrency, major } from "../../../lib/money"
import { send, url } from "../../support/world"

const CURRENCIES = "/api/currencies"
type Currency = { code: string; exponent: number; name: string }

const list = async (): Promise<Currency[]> => (await send("GET", CURRENCIES)).body.data

describe("GET /api/currencies", () => {
  test.each([
    ["USD", 2, "US Dollar"],
    ["JPY", 0, "Japanese Yen"],
    ["KWD", 3, "Kuwaiti Dinar"],
    ["HUF", 2, "Hungarian Forint"], // browsers say 0
    ["IDR", 2, "Indonesian Rupiah"], // so here
  ])("%s has %i decimals, and is called %s", async (code, exponent, name) => {
    expect(await list()).toContainEqual({ code, exponent, name })
  })

  test("lists once each currency that a sale may have, with the decimals of the books", async () => {
    const codes = (await list()).map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].sort())
    expect(codes.every(isCurrency)).toBe(true)
    expect(codes).toHaveLength(Intl.supportedValuesOf("currency").length)
    for (const { code, exponent } of await list()) {
      expect(major(12_345, code)).toBe(12_345 / 10 ** exponent)
    }
  })

  test("may be kept: 304 for a copy that is current", async () => {
    const first = await fetch(`${url}${CURRENCIES}`)
    const etag = first.headers.get("etag") ?? ""
    expect(first.headers.get("cache-control")).toBe("public, max-age=3600")
    expect(first.headers.get("vary")).toBe("accept-encoding")

    const again = await fetch(`${url}${CURRENCIES}`, { headers: { "if-none-match": etag } })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    const other = await fetch(`${url}${CURRENCIES}`, { headers: { "if-none-match": '"other"' } })
    expect(other.status).toBe(200)
  })

  test("400 for an unstorable query, which is not kept", async () => {
    const { status, headers } = await send("GET", `${CURRENCIES}?x=%00`)
    expect([status, headers.get("cache-control")]).toEqual([400, "no-store"])
  })
})
