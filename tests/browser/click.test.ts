import { beforeAll, expect, test } from "bun:test"
import { newPartner, newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { openShop } from "./shop"
import { cookiesOf, describeInBrowser, useBrowser, visit } from "./visitor"

const WINDOW_DAYS = 45

describeInBrowser("service-tracker.js on a visit", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram({ cookie_window_days: WINDOW_DAYS })
    tag = `data-program-id="${program.program_id}"`
  })

  test("records the click and stores it in a cookie of the whole site", async () => {
    const visitor = await newVisitor()
    const url = `${shop({ tag })}?aff=${program.code}`
    await visit(visitor, url)

    expect(visitor.calls).toMatchObject([
      {
        path: "/api/v1/track/click",
        body: {
          affiliate_url: url,
          page_url: url,
          page_title: "Shop",
          session_id: expect.stringMatching(/^\w{10,}$/),
          user_agent: expect.stringContaining("Chrome"),
          screen_resolution: expect.stringMatching(/^\d+x\d+$/),
          viewport_size: expect.stringMatching(/^\d+x\d+$/),
          language: expect.any(String),
          timezone: expect.any(String),
          additional_data: { program_id: program.program_id },
        },
      },
    ])
    const { service_click_id, service_aff } = await cookiesOf(visitor)
    expect(service_click_id).toMatchObject({
      value: expect.stringMatching(/^clk_\w{26}$/),
      domain: ".shop.test",
      path: "/",
      sameSite: "Lax",
      secure: false,
      httpOnly: false,
    })
    expect(service_aff).toMatchObject({ value: program.code, domain: ".shop.test" })
    const days = (service_click_id!.expires - Date.now() / 1000) / 86_400
    expect(days).toBeCloseTo(WINDOW_DAYS, 2)

    expect(await visitor.page.evaluate(stateOf)).toEqual({
      clickId: service_click_id!.value,
      programId: program.program_id,
      affiliateUrl: url,
      hasAttribution: true,
    })
  })

  test("makes no second call for the same partner, on any host of the site", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    await visit(visitor, `${shop({ tag }, "app.eu.shop.test")}?aff=${program.code}`)
    await visit(visitor, shop({ tag }))
    expect(visitor.calls).toHaveLength(1)
    expect(await visitor.page.evaluate(stateOf)).toMatchObject({
      affiliateUrl: null,
      hasAttribution: true,
    })
  })

  test("records the link of another partner with the existing click id", async () => {
    const { code } = await newPartner(program)
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    const before = await cookiesOf(visitor)
    await visit(visitor, `${shop({ tag })}?aff=${code}`)

    expect(visitor.calls).toHaveLength(2)
    expect(visitor.calls[1]!.body.existing_click_id).toBe(before.service_click_id!.value)
    const after = await cookiesOf(visitor)
    expect(after.service_click_id!.value).toBe(before.service_click_id!.value)
    expect(after.service_aff!.value).toBe(code)
  })

  test("keeps its cookies when the other link is inactive", async () => {
    const { code, link_id } = await newPartner(program)
    const links = `/api/advertiser/affiliate-programs/${program.program_id}/referral-links`
    const body = { status: "inactive" }
    await send("PUT", `${links}/${link_id}`, { token: program.session, body })

    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    const before = await cookiesOf(visitor)
    await visit(visitor, `${shop({ tag })}?aff=${code}`)
    expect(visitor.calls).toHaveLength(2)
    expect(await cookiesOf(visitor)).toEqual(before)
  })

  test.each(["localhost", "127.0.0.1"])("limits the cookie to the host on %s", async host => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag }, host)}?aff=${program.code}`)
    const cookies = await cookiesOf(visitor)
    expect(Object.keys(cookies).sort()).toEqual(["service_aff", "service_click_id"])
    expect(cookies.service_click_id!.domain).toBe(host)
  })

  test("replaces a cookie of the host alone, which would shadow the wider one", async () => {
    const visitor = await newVisitor()
    const url = shop({ tag })
    await visitor.page.context().addCookies([{ name: "service_click_id", value: "old", url }])
    await visit(visitor, `${url}?aff=${program.code}`)
    expect(visitor.calls[0]!.body.existing_click_id).toBe("old")
    expect(await visitor.page.evaluate(() => document.cookie)).toMatch(
      /^service_click_id=clk_\w+; s/,
    )
  })

  test("marks the cookie Secure on https", async () => {
    const visitor = await newVisitor()
    const body = await (await fetch(shop({ tag }, "localhost"))).text()
    await visitor.page.route(/^https:..www.shop.test/, route =>
      route.fulfill({ body, contentType: "text/html" }),
    )
    await visit(visitor, `https://www.shop.test/?aff=${program.code}`)
    expect((await cookiesOf(visitor)).service_click_id).toMatchObject({ secure: true })
  })
})

function stateOf() {
  const { clickId, programId, affiliateUrl, hasAttribution } = window.serviceTracker!
  return { clickId, programId, affiliateUrl, hasAttribution }
}
