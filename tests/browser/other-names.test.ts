import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { url as gateway } from "../support/world"
import { openShop } from "./shop"
import { describeInBrowser, useBrowser, type Visitor, visit } from "./visitor"

declare global {
  interface Window {
    affitor?: any
    affitorQueue?: unknown[][]
  }
}

/** Loads the script as Affitor's own package does, with the script's URL changed. */
const AFFITOR_LOADER = (src: string, program_id: number) => `<script>
  window.loaded = new Promise(resolve => {
    const script = document.createElement("script")
    script.src = "${src}"
    script.async = true
    script.setAttribute("data-affitor-program-id", "${program_id}")
    script.setAttribute("data-affitor-debug", "true")
    script.onload = () => resolve(window.affitor?.loaded)
    document.head.appendChild(script)
  })
</script>`

describeInBrowser("service-tracker.js under another name", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram()
    tag = `data-affitor-program-id="${program.program_id}" data-global="affitor"`
  })

  test("has the names of Affitor's tracker beside its own", async () => {
    const visitor = await newVisitor()
    const url = `${shop({ tag })}?aff=${program.code}`
    await visit(visitor, url)
    const seen = await visitor.page.evaluate(() => {
      const { affitor, serviceTracker } = window
      const { getData, getClickId } = affitor
      const { hasAffiliateAttribution, loaded, debugMode, clickId } = affitor
      const isSame = affitor === serviceTracker
      const isId = getClickId() === clickId
      return { isSame, isId, hasAffiliateAttribution, loaded, debugMode, data: getData() }
    })
    expect(seen).toEqual({
      isSame: true,
      isId: true,
      hasAffiliateAttribution: true,
      loaded: true,
      debugMode: false,
      data: {
        clickId: expect.stringMatching(/^clk_/),
        programId: program.program_id,
        hasAttribution: true,
        affiliateUrl: url,
      },
    })
  })

  test("runs the calls in the queue of that name, and later ones at once", async () => {
    const visitor = await newVisitor()
    const before = `<script>
      window.affitorQueue = [["init", { programId: ${program.program_id} }], ["signup", "first"]]
      window.serviceTrackerQueue = [["signup", "second"]]
    </script>`
    const own = `data-global="affitor"`
    await visit(visitor, `${shop({ tag: own, before })}?aff=${program.code}`)
    await visitor.page.evaluate(() => window.affitorQueue!.push(["signup", "third"]))
    await leadsAre(visitor, 3)
    expect(keysOf(visitor).sort()).toEqual(["first", "second", "third"])
    expect(visitor.calls[0]!.body.additional_data).toEqual({ program_id: program.program_id })
    expect(visitor.errors).toEqual([])
  })

  test.each([
    ["user_id", { user_id: "ada", email: "ada@shop.example" }],
    ["customer_key", { customer_key: "ada", email: "ada@shop.example", additional_data: { x: 1 } }],
  ])("sends the lead of trackLead with %s", async (_name, lead) => {
    const visitor = await newVisitor()
    await visit(visitor, `${shop({ tag })}?aff=${program.code}`)
    const reply = await visitor.page.evaluate(given => window.affitor.trackLead(given), lead)
    expect(reply).toMatchObject({ success: true })
    expect(visitor.calls[1]!.body).toMatchObject({
      customer_key: "ada",
      email: "ada@shop.example",
    })
  })

  test("throws nothing for calls without arguments", async () => {
    const visitor = await newVisitor()
    await visit(visitor, shop({ tag }))
    const reply = await visitor.page.evaluate(() => {
      window.affitor.init()
      return window.affitor.trackLead()
    })
    expect(reply).toMatchObject({ success: false })
    expect(visitor.errors).toEqual([])
  })

  test("is found by Affitor's loader, which sets its own attributes", async () => {
    const visitor = await newVisitor()
    const { href } = new URL("/js/service-tracker.js?global=affitor", gateway)
    const body = AFFITOR_LOADER(href, program.program_id)
    await visitor.page.route("**/service-tracker.js", route => route.abort()) // the usual tag
    await visit(visitor, shop({ body }))
    expect(await visitor.page.evaluate(() => Reflect.get(window, "loaded"))).toBe(true)
    const state = await visitor.page.evaluate(() => {
      const { programId, debugMode } = window.affitor
      return { programId, debugMode }
    })
    expect(state).toEqual({ programId: program.program_id, debugMode: true })
  })
})

const keysOf = ({ calls }: Visitor) =>
  calls.filter(({ path }) => path.endsWith("/lead")).map(({ body }) => body.customer_key)

async function leadsAre(visitor: Visitor, count: number) {
  for (let tries = 0; tries < 100 && keysOf(visitor).length < count; tries++) await Bun.sleep(20)
}
