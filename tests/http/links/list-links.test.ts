import { beforeAll, describe, expect, test } from "bun:test"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

let program: TestProgram
let partner_id: number
const tag = `${process.pid}-${Date.now().toString(36)}`

const list = (query: string, { path, session } = program) =>
  send("GET", `${path}/referral-links?pageSize=100&${query}`, { token: session })
const codesOf = async (query: string) =>
  (await list(query)).body.data.map(({ code }: { code: string }) => code)

/** The program's own link, one of another partner, and two more of that one. */
beforeAll(async () => {
  program = await newProgram()
  partner_id = (await newPartner(program, { code: `Own-${tag}` })).partner_id
  for (const [code, destination_url] of [
    [`shoes_${tag}`, "https://shop.example/Shoes?x=100%25"],
    [`hats-${tag}`, null],
  ]) {
    const body = { partner_id, code, destination_url }
    await send("POST", `${program.path}/referral-links`, { token: program.session, body })
  }
  const { body } = await list(`search=hats-${tag}`)
  const path = `${program.path}/referral-links/${body.data[0].id}`
  await send("PUT", path, { token: program.session, body: { status: "inactive" } })
})

describe("GET …/referral-links", () => {
  test("narrows to a partner, a status, and what code or destination contain", async () => {
    const [own, shoes, hats] = [`Own-${tag}`, `shoes_${tag}`, `hats-${tag}`]
    const all = [program.code, own, shoes, hats]
    for (const [query, codes] of [
      ["", all],
      [`partner_id=${partner_id}`, [own, shoes, hats]],
      ["status=active", [program.code, own, shoes]],
      [`status=inactive&partner_id=${partner_id}`, [hats]],
      [`status=inactive&partner_id=${program.partner_id}`, []],
      ["search=OWN-", [own]],
      ["search=shop.example/SHOES", [shoes]],
      ["search=100%2525", [shoes]],
      ["search=_", codesWith("_", all)],
      ["search=%25", [shoes]],
      ["partner_id=999999999", []],
    ] as const) {
      expect(await codesOf(query), query).toEqual(codes as string[])
    }
    expect((await list(`partner_id=${partner_id}&pageSize=1`)).body.meta.pagination.total).toBe(3)
  })

  test("shows none of another program", async () => {
    const other = await newProgram()
    expect((await list(`partner_id=${partner_id}`, other)).body.data).toEqual([])
    expect((await list(`search=${tag}`, other)).body.data).toEqual([])
  })

  test.each(["partner_id=x", "partner_id=0", "status=paused", `search=${"x".repeat(256)}`])(
    "400: %s",
    async query => {
      const { status, body } = await list(query)
      expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
    },
  )
})

const codesWith = (text: string, codes: string[]) => codes.filter(code => code.includes(text))
