import { beforeAll, describe, expect, test } from "bun:test"
import { newPartner, newProgram, type TestProgram } from "../support/program"
import { openShop } from "./shop"
import { cookiesOf, describeInBrowser, useBrowser, type Visitor, visit } from "./visitor"

/** Changes the address before the script runs, as routers and consent banners do. */
const STRIPPED = `<script>history.replaceState(null, "", location.pathname)</script>`

const WITHOUT_NAVIGATION_API = `<script>
  Object.defineProperty(window, "navigation", { value: undefined })
</script>`

describeInBrowser("service-tracker.js in an application that changes its address", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let other: { code: string }
  beforeAll(async () => {
    program = await newProgram()
    other = await newPartner(program)
  })

  test("reads aff from the address that the page was loaded with", async () => {
    const visitor = await newVisitor()
    const url = `${shop({ before: STRIPPED })}?aff=${program.code}`
    await visit(visitor, url)
    expect(visitor.page.url()).not.toContain("aff")
    expect(visitor.calls).toMatchObject([{ body: { affiliate_url: url, page_url: url } }])
    expect(await visitor.page.evaluate(() => window.serviceTracker!.affiliateUrl)).toBe(url)
    expect((await cookiesOf(visitor)).service_aff!.value).toBe(program.code)
  })

  test("reads aff from the address to which a redirect led", async () => {
    const visitor = await newVisitor()
    const target = `${shop({ before: STRIPPED })}?aff=${program.code}`
    await visitor.page.route("**/outgoing", route =>
      route.fulfill({ status: 302, headers: { location: target } }),
    )
    await visit(visitor, target.replace(/[^/]*$/, "outgoing"))
    expect(visitor.calls).toMatchObject([{ body: { affiliate_url: target } }])
  })

  describe.each([
    ["with the Navigation API", ""],
    ["without it", WITHOUT_NAVIGATION_API],
  ])("%s", (_how, before) => {
    test("records each address with another aff, and each once", async () => {
      const visitor = await newVisitor()
      await visit(visitor, shop({ before }))
      expect(visitor.calls).toEqual([])

      await push(visitor, `?aff=${program.code}`)
      await push(visitor, `?aff=${program.code}&step=2`)
      await push(visitor, "/elsewhere")
      await replace(visitor, `?aff=${other.code}`)
      await settled(visitor)
      expect(affsOf(visitor)).toEqual([program.code, other.code])
      expect(await visitor.page.evaluate(() => window.serviceTracker!.affiliateUrl)).toBe(
        visitor.page.url(),
      )

      await visitor.page.evaluate(() => history.back()) // to the first partner
      await visitor.page.waitForURL(`**step=2`)
      await settled(visitor)
      expect(affsOf(visitor)).toEqual([program.code, other.code, program.code])
      expect(visitor.calls[2]!.body.existing_click_id).toMatch(/^clk_/)
      expect(visitor.errors).toEqual([])
    })
  })

  test("does not send an unknown code again whenever the address changes", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({})}?aff=unknown-code`)
    for (const step of [1, 2, 3]) await replace(visitor, `?aff=unknown-code&step=${step}`)
    await Bun.sleep(200)
    expect(visitor.calls).toHaveLength(1)
  })
})

const affsOf = ({ calls }: Visitor) =>
  calls.map(({ body }) => new URL(body.affiliate_url).searchParams.get("aff"))

const push = ({ page }: Visitor, address: string) =>
  page.evaluate(to => history.pushState(null, "", to), address)

const replace = ({ page }: Visitor, address: string) =>
  page.evaluate(to => history.replaceState(null, "", to), address)

/** Waits for the click under way: this call follows it and sends nothing for the same partner. */
const settled = ({ page }: Visitor) => page.evaluate(() => window.serviceTracker!.trackClick())
