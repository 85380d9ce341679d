import { beforeAll, describe, expect, test } from "bun:test"
import { entriesWrittenBy } from "../../support/audit-log"
import { refusesBadCredentials, refusesUnknownPrograms } from "../../support/credentials"
import { newKey } from "../../support/key"
import { PNG } from "../../support/logo"
import { newMember } from "../../support/member"
import { newProgram, type TestProgram } from "../../support/program"
import { send, sql, url } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

const NONE = { color: null, welcome: null, logo: null }
const LOGO_PATH = /^\/api\/public\/logos\/[0-9a-f]{32}$/
const pathOf = ({ path }: { path: string }) => `${path}/branding`
const get = async (of: TestProgram) =>
  (await send("GET", pathOf(of), { token: of.session })).body.data
const put = (of: TestProgram, body: object, token = of.session) =>
  send("PUT", pathOf(of), { token, body })

const logoOf = async (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
const image = () => new Bun.Image(Buffer.from(PNG, "base64"))

describe("…/branding", () => {
  refusesBadCredentials("GET", pathOf)
  refusesUnknownPrograms("GET", id => `/api/advertiser/affiliate-programs/${id}/branding`)
  refusesUnknownPrograms("PUT", id => `/api/advertiser/affiliate-programs/${id}/branding`)

  test("has nothing at first, and changes the given fields alone", async () => {
    const of = await newProgram()
    expect(await get(of)).toEqual(NONE)
    expect((await put(of, { color: "#0A5EA8", welcome: "Hello <b>you</b>" })).body.data).toEqual({
      ...NONE,
      color: "#0a5ea8",
      welcome: "Hello <b>you</b>",
    })
    const own = await logoOf(await image().resize(7, 5).png().bytes()) // no other program has it
    const { logo } = (await put(of, { logo: own })).body.data
    expect(logo).toMatch(LOGO_PATH)
    expect((await put(of, { welcome: null })).body.data).toEqual({
      ...NONE,
      color: "#0a5ea8",
      logo,
    })
    expect((await put(of, { color: null, logo: null })).body.data).toEqual(NONE)
    expect((await fetch(url + logo)).status).toBe(404)
  })

  test.each([
    ["png", () => image().resize(20, 10).png().bytes()],
    ["jpeg", () => image().resize(20, 10).jpeg().bytes()],
    ["webp", () => image().resize(20, 10).webp().bytes()],
  ])("serves a %s as WebP that nothing else can come with", async (_kind, encode) => {
    const hidden = "<script>alert(1)</script>"
    const bytes = Buffer.concat([await encode(), Buffer.from(hidden)])
    const { logo } = (await put(program, { logo: await logoOf(bytes) })).body.data
    const reply = await fetch(url + logo)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "public, max-age=31536000, immutable",
    })
    const served = await reply.bytes()
    expect(Buffer.from(served).includes(hidden)).toBe(false)
    const { width, height, format } = await new Bun.Image(served).metadata()
    expect({ width, height, format }).toEqual({ width: 20, height: 10, format: "webp" })
  })

  test("makes a large logo smaller, and keeps its shape", async () => {
    const bytes = await image().resize(2_000, 1_000).png().bytes()
    const { logo } = (await put(program, { logo: await logoOf(bytes) })).body.data
    const { width, height } = await new Bun.Image(
      await (await fetch(url + logo)).bytes(),
    ).metadata()
    expect([width, height]).toEqual([512, 256])
  })

  test("takes a logo of exactly 256 KiB, in any frame of a body that large", async () => {
    const bytes = Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(256 * 1024)])
    const whole = bytes.subarray(0, 256 * 1024).toString("base64")
    expect((await put(program, { logo: whole })).status).toBe(200)
    expect((await put(program, { logo: bytes.toString("base64") })).status).toBe(400)
    expect((await put(program, { welcome: " ".repeat(400_000) })).status).toBe(413)
  })

  test.each<[string, () => object | Promise<object>]>([
    ["color is a name", () => ({ color: "red" })],
    ["color has an alpha channel", () => ({ color: "#0a5ea8ff" })],
    ["color is short", () => ({ color: "#abc" })],
    ["color injects a style", () => ({ color: "#0a5ea8;background:url(//evil.example)" })],
    ["welcome is empty", () => ({ welcome: "" })],
    ["welcome is too long", () => ({ welcome: "x".repeat(2_001) })],
    ["welcome is a number", () => ({ welcome: 7 })],
    ["logo is no base64", () => ({ logo: "data:image/png;base64,AAAA" })],
    ["logo is empty", () => ({ logo: "" })],
    ["logo is SVG", async () => ({ logo: await logoOf(Buffer.from("<svg/>")) })],
    ["logo is HTML", async () => ({ logo: await logoOf(Buffer.from("<!doctype html><p>")) })],
    ["logo is a GIF", () => ({ logo: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" })],
    ["logo is cut off", async () => ({ logo: PNG.slice(0, 60) })],
    [
      "logo has too many pixels",
      async () => ({ logo: await logoOf(await image().resize(5_000, 4_000).png().bytes()) }),
    ],
  ])("400: %s", async (_why, fields) => {
    const before = await get(program)
    const body = { welcome: "Not stored", ...(await fields()) }
    const reply = await put(program, body)
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(await get(program)).toEqual(before)
  })

  test.each([
    ["#ffffff", "#767676"],
    ["#ffd400", "#8c7500"],
    ["#777777", "#767676"],
  ])("400: white text on %s is hard to read, and %s is offered", async (color, nearest) => {
    const { status, body } = await put(program, { color })
    expect(status).toBe(400)
    expect(body.error).toEndWith(`The nearest that passes is ${nearest}.`)
    expect((await put(program, { color: nearest })).status).toBe(200)
  })

  test.each([
    [200, 200, "owner"],
    [200, 200, "admin"],
    [200, 403, "analyst"],
    [200, 403, "billing"],
  ])("%i to read, %i to write: %s", async (read, write, role) => {
    const token = await newMember(program, role)
    expect((await send("GET", pathOf(program), { token })).status).toBe(read)
    expect((await put(program, {}, token)).status).toBe(write)
  })

  test("401: a key", async () => {
    const { key } = await newKey(program)
    expect((await send("GET", pathOf(program), { token: key })).status).toBe(401)
    expect((await put(program, {}, key)).status).toBe(401)
  })

  test("409: the program is archived", async () => {
    const of = await newProgram()
    await send("DELETE", of.path, { token: of.session })
    expect((await put(of, { color: "#0a5ea8" })).status).toBe(409)
    expect(await get(of)).toEqual(NONE)
  })

  test("leaves an entry in the audit log for each change, and none without one", async () => {
    const of = await newProgram()
    const [entry, ...others] = await entriesWrittenBy(of, async () => {
      await put(of, { color: "#0a5ea8" })
      await put(of, { color: "#0a5ea8" })
      await put(of, {})
    })
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      action: "program.update_branding",
      subject: { type: "program", id: of.program_id },
      program_id: of.program_id,
      details: { color: "#0a5ea8" },
    })
  })

  test("keeps one of several changes that race, whole", async () => {
    const of = await newProgram()
    const changes = ["#0a5ea8", "#146c43", "#b3261e"].map(color => ({ color, welcome: color }))
    const replies = await Promise.all(changes.map(change => put(of, change)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const { color, welcome } = await get(of)
    expect(welcome).toBe(color)
    const rows = await sql`
      select 1
      from identity.program_brandings
      where program_id = ${of.program_id}
    `
    expect(rows).toHaveLength(1)
  })
})
