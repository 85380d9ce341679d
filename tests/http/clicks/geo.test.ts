import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import postgres from "postgres"
import { launch } from "../../support/launcher"

const LAUNCH_TIMEOUT_MS = 60_000
const AMERICAN = "8.8.8.8"
const AUSTRALIAN = "1.1.1.1"
const CANADIAN = "2001:4860:4860::8888" // according to the packaged database

let countryOf: (headers: Record<string, string>) => Promise<unknown>

/** Starts a Tributary that trusts two proxies: this machine and 10.0.0.0/8. */
beforeAll(async () => {
  const launcher = await launch({ TRUSTED_PROXIES: "127.0.0.1, ::1,10.0.0.0/8" })
  const address = await launcher.ready
  const { url } = await Bun.file(join(launcher.data_dir, "postgres.json")).json()
  const sql = postgres(url, { max: 1 })

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    })
    return reply.json() as Promise<any> // any: the shape varies by route
  }
  const account = { email: "a@example.com", password: "correct horse battery", name: "A" }
  const authorization = `Bearer ${(await post("/api/auth/sign-up", account)).data.token}`
  const programs = "/api/advertiser/affiliate-programs"
  const { id } = (await post(programs, { name: "P" }, { authorization })).data
  const partner = { email: "p@example.com", name: "P", code: "partner" }
  await post(`${programs}/${id}/partners`, partner, { authorization })

  countryOf = async headers => {
    const affiliate_url = "https://shop.example/?aff=partner"
    const { click_id } = await post("/api/v1/track/click", { affiliate_url }, headers)
    const [event] = await sql`
      select geo_country
      from tracking.affiliate_click_events
      where click_id = ${click_id}
    `
    return event!.geo_country
  }
}, LAUNCH_TIMEOUT_MS)

describe("a visitor's country is taken", () => {
  test.each<[string | null, string, string]>([
    ["US", "from the address that a trusted proxy sends", AMERICAN],
    ["CA", "from an IPv6 address", CANADIAN],
    ["AU", "from an IPv4 address in IPv6", `::ffff:${AUSTRALIAN}`],
    ["AU", "from the last address that is not a trusted proxy's", `${AMERICAN}, ${AUSTRALIAN}`],
    ["AU", "from the address before two trusted proxies", `${AMERICAN},${AUSTRALIAN} , 10.1.2.3`],
    [null, "from nowhere if the address is this machine's", "127.0.0.1"],
    [null, "from nowhere if the address is invalid", `${AMERICAN}, unknown`],
    [null, "from nowhere if there is no address", ""],
  ])("%p: %s", async (country, _why, forwarded) => {
    expect(await countryOf({ "x-forwarded-for": forwarded })).toBe(country)
  })
})
