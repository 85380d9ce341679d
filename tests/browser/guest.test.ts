import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { openShop } from "./shop"
import { describeInBrowser, useBrowser, type Visitor, visit } from "./visitor"

/** Restores the prototypes once the click is recorded: Playwright needs them clean. */
const POLLUTION = `<script>
  const polluted = { toJSON: () => "polluted", signal: "x", method: "x", click_id: "x", get: 1 }
  Object.assign(Object.prototype, polluted)
  addEventListener("load", async () => {
    await serviceTracker.ready
    for (const name of Object.keys(polluted)) delete Object.prototype[name]
    location.hash = "clean"
  })
</script>`

/** Each element hides a property of document or window that a careless script would use. */
const CLOBBERED = `<img name="currentScript" src="data:,"><form id="serviceTracker"></form>`

describeInBrowser("service-tracker.js as a guest in the page", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram()
    tag = `data-program-id="${program.program_id}"`
  })

  test("keeps the click in memory when cookies and storage are blocked", async () => {
    const visitor = await newVisitor()
    const headers = { "content-security-policy": "sandbox allow-scripts" }
    await visit(visitor, `${shop({ tag, headers })}?aff=${program.code}`)
    const reply = await visitor.page.evaluate(() => window.serviceTracker!.signup("sandboxed"))
    expect(reply).toMatchObject({ success: true })
    await expectUndisturbed(visitor)
  })

  test("throws nothing when cookies are disabled", async () => {
    const visitor = await newVisitor()
    const session = await visitor.page.context().newCDPSession(visitor.page)
    await session.send("Emulation.setDocumentCookieDisabled", { disabled: true })
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    expect(await visitor.page.evaluate(() => window.serviceTracker!.hasAttribution)).toBe(true)
    await expectUndisturbed(visitor)
  })

  test("records the visit to a page that pollutes prototypes", async () => {
    const visitor = await newVisitor()
    await visitor.page.goto(`${shop({ tag, before: POLLUTION })}?aff=${program.code}`)
    await visitor.page.waitForURL("**#clean")
    expect(visitor.calls[0]!.body.affiliate_url).toContain(program.code)
    expect(await visitor.page.evaluate(() => window.serviceTracker!.clickId)).toMatch(/^clk_/)
    await expectUndisturbed(visitor)
  })

  test("records the visit to a page that clobbers the document", async () => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag, before: CLOBBERED })}?aff=${program.code}`)
    expect(await visitor.page.evaluate(() => window.serviceTracker!.hasAttribution)).toBe(true)
    await expectUndisturbed(visitor)
  })

  test("records the visit with an invalid title and a very long URL", async () => {
    const visitor = await newVisitor()
    const before = `<script>document.title = "\\ud800\\u{1f600}"</script>`
    const junk = `x=%E0%A4%A&y=${"%00".repeat(4_000)}`
    await visit(visitor, `${shop({ tag, before })}?${junk}&aff=${program.code}#aff=other`)
    expect(visitor.calls[0]!.body.page_title).toBe("😀")
    expect(await visitor.page.evaluate(() => window.serviceTracker!.hasAttribution)).toBe(true)
    await expectUndisturbed(visitor)
  })

  test.each([
    ["the gateway is down", { tag: `data-api-base="http://127.0.0.1:${unusedPort()}"` }],
    [
      "the gateway's address is not a URL",
      { tag: `data-api-base="https://[" data-lead-form="(("` },
    ],
    [
      "the page's policy forbids requests",
      { headers: { "content-security-policy": "connect-src 'self'" } },
    ],
    ["the page has no fetch", { before: "<script>fetch = () => { throw 1 }</script>" }],
    ["the page uses its global names", { before: "<script>serviceTrackerQueue = 'x'</script>" }],
    ["the code is unknown", { aff: "unknown <script>" }],
  ])("disturbs nothing when %s", async (_case, { aff = "unknown", ...page }: Adversity) => {
    const visitor = await newVisitor()
    const body = "<form><button>Join</button></form>"
    await visit(visitor, `${shop({ ...page, body })}?aff=${encodeURIComponent(aff)}`)
    const tracked = await visitor.page.evaluate(async () => {
      const { clickId, hasAttribution, signup, trackClick } = window.serviceTracker!
      const replies = [await signup("ada"), await trackClick()]
      return { clickId, hasAttribution, replies: replies.map(reply => reply.success) }
    })
    const nothing = { clickId: null, hasAttribution: false, replies: [false, false] }
    expect(tracked).toEqual(nothing)
    await visitor.page.click("button")
    await expectUndisturbed(visitor)
  })
})

interface Adversity {
  aff?: string
  tag?: string
  before?: string
  headers?: Record<string, string>
}

/** Expects that the shop's own script has run, and that no script threw anything. */
async function expectUndisturbed({ page, errors }: Visitor) {
  await page.waitForFunction(() => document.documentElement.dataset.shop === "open")
  await Bun.sleep(50) // a rejection is reported one turn later
  expect(errors).toEqual([])
}

/** A port on which nothing listens. */
function unusedPort() {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  server.stop(true)
  return server.port
}
