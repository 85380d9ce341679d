import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newKey } from "../../support/key"
import { newMember } from "../../support/member"
import { newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const pathOf = ({ path }: { path: string }) => `${path}/terms`
const get = async (of: TestProgram) =>
  (await send("GET", pathOf(of), { token: of.session })).body.data
const put = (of: TestProgram, text: unknown, token = of.session) =>
  send("PUT", pathOf(of), { token, body: { text } })
const versionOf = async (of: TestProgram, text: string) => (await put(of, text)).body.data.version

describe("…/terms", () => {
  refusesBadCredentials("GET", pathOf)
  refusesBadCredentials("PUT", pathOf)
  refusesUnknownPrograms("GET", id => `/api/advertiser/affiliate-programs/${id}/terms`)
  refusesUnknownPrograms("PUT", id => `/api/advertiser/affiliate-programs/${id}/terms`)

  test("are a new version with each new text", async () => {
    const of = await newProgram()
    expect(await get(of)).toEqual({ version: 0, text: "", created_at: null })
    expect(await versionOf(of, "")).toBe(0)
    expect(await versionOf(of, "No brand bidding.")).toBe(1)
    expect(await versionOf(of, "No brand bidding.")).toBe(1)
    expect(await versionOf(of, "No brand bidding, no coupons.")).toBe(2)
    expect(await versionOf(of, "No brand bidding.")).toBe(3)
    expect(await get(of)).toEqual({
      version: 3,
      text: "No brand bidding.",
      created_at: expect.stringMatching(/Z$/),
    })
    expect(await versionOf(of, "")).toBe(4)
  })

  test("take one version each when changes race", async () => {
    const of = await newProgram()
    const texts = Array.from({ length: 8 }, (_, i) => `Terms ${i % 4}`)
    const replies = await Promise.all(texts.map(text => put(of, text)))
    const versions = replies.map(({ body }) => body.data.version as number)
    const last = Math.max(...versions)
    expect(new Set(versions)).toEqual(new Set(Array.from({ length: last }, (_, i) => i + 1)))
    expect((await get(of)).version).toBe(last)
  })

  test("keep any text as it is", async () => {
    const text = `<script>alert(1)</script> =1+1 \u202e🦀\n${"x".repeat(40_000)}`
    expect((await put(program, text)).body.data.text).toBe(text)
    expect((await get(program)).text).toBe(text)
  })

  test.each<[string, unknown]>([
    ["missing", undefined],
    ["null", null],
    ["a number", 7],
    ["too long", "x".repeat(50_001)],
    ["with NUL", "a\0b"],
  ])("400: the text is %s", async (_why, text) => {
    const before = await get(program)
    expect(await put(program, text)).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    })
    expect(await get(program)).toEqual(before)
  })

  test.each([
    [200, 200, "admin"],
    [200, 403, "analyst"],
    [200, 403, "billing"],
  ])("%i to read, %i to write: %s", async (read, write, role) => {
    const token = await newMember(program, role)
    expect((await send("GET", pathOf(program), { token })).status).toBe(read)
    expect((await put(program, "By a member", token)).status).toBe(write)
  })

  test("401: a key", async () => {
    const { key } = await newKey(program)
    expect((await put(program, "By a key", key)).status).toBe(401)
  })

  test("409: the program is archived", async () => {
    const of = await newProgram()
    await send("DELETE", of.path, { token: of.session })
    expect((await put(of, "Too late")).status).toBe(409)
  })

  test("leave the version, not the text, in the audit log", async () => {
    const of = await newProgram()
    const entries = await entriesWrittenBy(of, async () => {
      await put(of, "One")
      await put(of, "One")
    })
    expect(entries).toMatchObject([{ action: "program.update_terms", details: { version: 1 } }])
  })
})
