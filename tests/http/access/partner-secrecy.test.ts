import { beforeAll, describe, expect, test } from "bun:test"
import { ROUTES } from "../../../gateway/routes/routes"
import { sell, settle } from "../../support/books"
import { newPartnerAccount } from "../../support/partner-account"
import { newPartner, newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { send } from "../../support/world"

/** Each text is a secret that the partner must not read anywhere. */
const MARK = "kept-secret"
const SECRET = new RegExp(`${MARK}|73[.,]?198[.,]?46`, "i") // or the amount of a sale
type Ids = Record<string, number | string>

let session: string
let own: Ids
let foreign: Ids[]

/**
 * One partner, whose customers, co-partner and neighbours all have names that begin with MARK: another
 * partner of the program, another program of the workspace, and a program of another workspace.
 */
beforeAll(async () => {
  const program = await newProgram()
  const sibling = await newProgramOf(program, secretProgram("sibling"))
  const stranger = await newProgram(secretProgram("stranger"))
  session = await newPartnerAccount(program)
  const other = await newPartner(program, secretPartner("other"))

  own = await trade(program)
  foreign = [
    await trade({ ...program, ...other }),
    await trade({ ...sibling, ...(await newPartner(sibling, secretPartner("sibling"))) }),
    await trade({ ...stranger, ...(await newPartner(stranger, secretPartner("stranger"))) }),
  ]
})

const secretProgram = (name: string) => ({
  name: `${MARK}-program-${name}`,
  website_url: `https://${MARK}-${name}.example`,
})
const secretPartner = (name: string) => ({
  name: `${MARK}-partner-${name}`,
  email: `${MARK}-${name}-${Date.now()}@example.com`,
  code: `${MARK}-${name}-${Date.now().toString(36)}`,
})

/** A lead, a sale and a rejected sale of a customer whom only the advertiser may know. */
async function trade(program: TestProgram): Promise<Ids> {
  const customerKey = `${MARK}-customer-${program.partner_id}`
  const secret = { email: `${customerKey}@example.com`, customer_key: customerKey }
  const sale = await sell(program, program.code, {
    customer_key: customerKey,
    transaction_id: `${MARK}-sale-${program.partner_id}`,
    amount_cents: 7_319_846,
  })
  await send("POST", "/api/v1/track/lead", { token: program.api_token, body: secret })
  const rejected = await sell(program, program.code, {
    transaction_id: `${MARK}-rejected-${program.partner_id}`,
  })
  await settle(program, rejected.commission_id, "reject")
  return {
    id: program.program_id,
    programId: program.program_id,
    program_id: program.program_id,
    partnerId: program.partner_id,
    as_partner: program.partner_id,
    partner_id: program.partner_id,
    linkId: program.link_id,
    saleId: sale.sale_id,
    sale_id: sale.sale_id,
    commissionId: sale.commission_id,
    commission_id: sale.commission_id,
    customerKey,
    groupId: 1,
    clickEventId: 1,
    leadEventId: 1,
    userId: program.user_id,
    invitationId: 1,
  }
}

const READS = ROUTES.map(({ declaration }) => declaration).filter(({ method }) => method === "GET")

/** The addresses of a route with these ids: bare, and with all of its query that names something. */
function addressesOf({ path, query = [] }: (typeof READS)[number], ids: Ids): string[] {
  const filled = path.replace(/:(\w+)/g, (_, name) => `${ids[name] ?? 1}`)
  const names = query.flatMap(part => Object.keys(part.properties))
  const values = (wanted: string[]) =>
    new URLSearchParams(
      names.filter(name => wanted.includes(name)).map(name => [name, `${ids[name] ?? ""}`]),
    )
  const named = ["program_id", "sale_id"]
  return [
    filled,
    `${filled}?${values(["program_id"])}`,
    `${filled}?${values(named)}`,
    `${filled}?${values(["program_id", "commission_id"])}`,
    `${filled}?${values([...named, "as_partner", "partner_id"])}`,
    `${filled}?${values(["program_id", "as_partner"])}&pageSize=100`,
  ]
}

const ofOthers = () => [
  ...foreign,
  ...foreign.map(ids => ({ ...ids, id: own.id!, programId: own.id!, program_id: own.id! })),
]

describe("With a partner's session", () => {
  test.each(READS.map(route => [route.id, route]))(
    "%s shows nothing of a customer, of another partner or of another program",
    async (_id, route) => {
      const addresses = [own, ...ofOthers()].flatMap(ids => addressesOf(route, ids))
      for (const path of new Set(addresses)) {
        const { status, body } = await send("GET", path, { token: session })
        const text = typeof body === "string" ? body : JSON.stringify(body)
        const secrets = text.replaceAll(echoesOf(path), "").match(SECRET) ?? []
        expect({ path, status, secrets: [...secrets] }).toEqual({ path, status, secrets: [] })
      }
    },
  )

  test("their own numbers are shown, so that the test would see secrets", async () => {
    const path = `/api/partner/programs/${own.id}/summary`
    const { status, body } = await send("GET", path, { token: session })
    expect({ status, sales: body.data?.totalSales }).toEqual({ status: 200, sales: 2 })
  })

  test("of the advertiser's own session, the same routes show the secrets", async () => {
    const program = await newProgram(secretProgram("seen"))
    const { data } = (await send("GET", program.path, { token: program.session })).body
    expect(JSON.stringify(data)).toContain(MARK)
  })
})

/** A refusal may repeat what the caller sent. */
const echoesOf = (path: string) => path.match(new RegExp(`${MARK}[\\w-]*`))?.[0] ?? "\0"
