import { expect, test } from "bun:test"
import { checkTemplate } from "../../../services/delivery/postbacks/template"
import { send, url } from "../../support/world"

const PATH = "/api/postback-macros"

test("GET /api/postback-macros lists macros that templates may have, by each of their names", async () => {
  const { status, body } = await send("GET", PATH)
  expect(status).toBe(200)
  const { macros, dialects, events, statuses, presets } = body.data
  for (const { name, aliases, is_number } of macros) {
    for (const each of [name, ...aliases]) {
      const at = `https://t.example/?a={${each}}`
      expect(checkTemplate({ url: at, method: "GET", dialect: "tributary" })).toBeNull()
    }
    const template = `{"a": {${name}}}`
    const bare = checkTemplate({
      url: "https://t.example/",
      method: "POST",
      body: { type: "json", template },
      dialect: "tributary",
    })
    expect(bare === null, name).toBe(is_number)
  }
  expect(macros).toContainEqual({
    name: "partner_click_id",
    aliases: ["aff_click_id", "external_id", "externalid"],
    is_number: false,
  })
  expect(dialects.map(({ name }: { name: string }) => name)).toEqual([
    "tributary",
    "everflow",
    "tune",
    "affise",
  ])
  expect(dialects[3].differences).toEqual([{ name: "transactionid", macro: "transaction_id" }])
  expect(events).toContain("approved")
  expect(statuses).toContain("reversed")
  for (const { query } of presets) {
    const at = `https://t.example/?${query}`
    expect(checkTemplate({ url: at, method: "GET", dialect: "tributary" })).toBeNull()
  }
})

test("it may be kept for an hour, a refusal may not", async () => {
  expect((await fetch(url + PATH)).headers.get("cache-control")).toBe("public, max-age=3600")
  const { status, headers } = await send("GET", `${PATH}?x=%00`)
  expect([status, headers.get("cache-control")]).toEqual([400, "no-store"])
})
