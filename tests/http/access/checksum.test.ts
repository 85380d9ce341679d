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

test("a token that is mistyped is refused without a query", async () => {
  const tried: [(token: string) => Promise<{ status: number }>, string][] = [
    [sale, program.api_token],
    [session, program.session],
    [list, key],
  ]
  await sql.begin(async sql => {
    // Whoever looks for a credential now has to wait: a right one is not found out in time.
    await sql`
      lock table identity.programs, identity.sessions, identity.api_keys in access exclusive mode
    `
    for (const [ask, token] of tried) {
      const typo = token.slice(0, -1) + (token.endsWith("x") ? "y" : "x")
      const answers = await Promise.all(Array.from({ length: CALLS }, () => ask(typo)))
      expect(answers.map(({ status }) => status)).toEqual(Array(CALLS).fill(401))
      expect(await ask(token)).toMatchObject({ status: 503 })
    }
  })
  expect(await session(program.session)).toMatchObject({ status: 200 })
}, 20_000)
