import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const CALLS = 100

let program: TestProgram
let key: string
beforeAll(async () => {
  program = await newProgram()
  const body = { name: "Key" }
  const created = await send("POST", "/api/advertiser/api-keys", { token: program.session, body })
  key = created.body.data.key
})

const sale = (token: string) => send("POST", "/api/v1/track/sale", { token, body: {} })
const session = (token: string) => send("GET", "/api/auth/session", { token })
const list = (token: string) => send("GET", "/api/advertiser/affiliate-programs", { token })

test("a mistyped token is refused without a query", async () => {
  const cases: [(token: string) => Promise<{ status: number }>, string][] = [
    [sale, program.api_token],
    [session, program.session],
    [list, key],
  ]
  await sql.begin(async sql => {
    // A credential lookup now has to wait: even a valid credential is not found in time.
    await sql`
      lock table identity.programs, identity.sessions, identity.api_keys in access exclusive mode
    `
    for (const [call, token] of cases) {
      const typo = token.slice(0, -1) + (token.endsWith("x") ? "y" : "x")
      const replies = await Promise.all(Array.from({ length: CALLS }, () => call(typo)))
      expect(replies.map(({ status }) => status)).toEqual(Array(CALLS).fill(401))
      expect(await call(token)).toMatchObject({ status: 503 })
    }
  })
  expect(await session(program.session)).toMatchObject({ status: 200 })
}, 20_000)
