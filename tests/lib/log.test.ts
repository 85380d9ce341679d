import { describe, expect, test } from "bun:test"
import { withoutSecrets } from "../../lib/log"
import { mintToken } from "../../lib/token"

describe("the log shows an error", () => {
  const token = mintToken("affs_")

  test.each([
    ["a token", `no such token: ${token}.`, "no such token: affs_….", token],
    ["a click", "clk_01JABCDEFGHJKMNPQRSTVWXYZ0 is unknown", "clk_… is unknown", "01JABC"],
    ["a signing secret", 'bad secret "whsec_abcdef0123"', 'bad secret "whsec_…"', "abcdef"],
    ["an address", "mail to ada@shop.example failed", "mail to …@… failed", "ada"],
    ["an address, quoted", '"ada.l+x@shop.example"', '"…@…"', "ada"],
    [
      "a URL with a password",
      "redis://:hunter2@db:6379/0 is away",
      "redis://…@db:6379/0",
      "hunter",
    ],
  ])("without %s", (_what, message, shown, secret) => {
    const error = new Error(message, { cause: new Error(`because of ${message}`) })
    const text = JSON.stringify(withoutSecrets(error))
    expect(text).toContain(JSON.stringify(shown).slice(1, -1))
    expect(text).not.toContain(secret)
  })

  test("without the rows that a database error quotes", () => {
    const error = Object.assign(new Error("duplicate key value"), {
      code: "23505",
      detail: "Key (email)=(ada@shop.example) already exists.",
      parameters: ["ada@shop.example"],
    })
    expect(withoutSecrets(error)).toEqual({
      name: "Error",
      message: "duplicate key value",
      code: "23505",
      stack: error.stack,
      cause: undefined,
    })
  })

  test("unchanged if there is nothing to hide", () => {
    const message = 'relation "groups" does not exist'
    const stack = `Error: ${message}\n    at publish (/app/node_modules/@nats-io/core/client.js:8:9)`
    const error = Object.assign(new Error(message), { stack })
    expect(withoutSecrets(error)).toMatchObject({ message, stack })
  })
})
