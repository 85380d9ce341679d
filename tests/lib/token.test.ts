import { expect, test } from "bun:test"
import { hashOf, isToken, mask, mintToken } from "../../lib/token"

test("a token is its prefix, 32 random characters and their checksum", () => {
  const tokens = Array.from({ length: 1_000 }, () => mintToken("aff_"))
  expect(new Set(tokens).size).toBe(1_000)
  for (const token of tokens) {
    expect(token).toMatch(/^aff_[0-9A-Za-z]{38}$/)
    expect(isToken("aff_", token)).toBe(true)
  }
})

test("one wrong character is detected by the checksum", () => {
  const token = mintToken("affk_")
  for (let i = "affk_".length; i < token.length; i++) {
    const typo = token.slice(0, i) + (token[i] === "x" ? "y" : "x") + token.slice(i + 1)
    expect(isToken("affk_", typo)).toBe(false)
  }
})

test.each([
  ["another prefix", mintToken("affs_")],
  ["too short", mintToken("aff_").slice(0, -1)],
  ["too long", `${mintToken("aff_")}0`],
  ["nothing", ""],
  ["the prefix alone", "aff_"],
])("not a token: %s", (_why, token) => {
  expect(isToken("aff_", token)).toBe(false)
})

test("a mask shows the first eight characters and the last four", () => {
  expect(mask("aff_", "aff_1a2b3c4dXXXXXXXXXXXXXXXXXXXXXXXXwxyz")).toBe("aff_1a2b3c4d****wxyz")
  expect(hashOf("aff_")).toMatch(/^[0-9a-f]{64}$/)
})
