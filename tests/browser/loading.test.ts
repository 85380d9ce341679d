import { beforeAll, expect, test } from "bun:test"
import { newProgram, type TestProgram } from "../support/program"
import { url as gateway } from "../support/world"
import { openShop } from "./shop"
import { describeInBrowser, useBrowser, visit } from "./visitor"

describeInBrowser("service-tracker.js, however it is loaded", () => {
  const newVisitor = useBrowser()
  const shop = openShop()
  let program: TestProgram
  let tag: string
  beforeAll(async () => {
    program = await newProgram()
    tag = `data-program-id="${program.program_id}"`
  })

  test("takes its options from its own URL where the tag has none", async () => {
    const visitor = await newVisitor()
    const query = `?program-id=${program.program_id}&global=rival`
    await visit(visitor, shop({ query }))
    const state = () => {
      const tracker = window.serviceTracker!
      return [tracker.programId, tracker === Reflect.get(window, "rival"), "other" in window]
    }
    expect(await visitor.page.evaluate(state)).toEqual([program.program_id, true, false])

    await visit(visitor, shop({ query, tag: `data-program-id="7" data-global="other"` }))
    expect(await visitor.page.evaluate(state)).toEqual([7, false, true])
  })

  test("sends to the origin that data-api-base names", async () => {
    const visitor = await newVisitor()
    const elsewhere = `data-api-base="${gateway.toString().replace("localhost", "127.0.0.1")}"`
    await visit(visitor, `${shop({ tag: elsewhere })}?aff=${program.code}`)
    expect(await visitor.page.evaluate(() => window.serviceTracker!.hasAttribution)).toBe(true)
  })

  test.each([
    ["a module", (src: string) => `<script type="module" src="${src}"></script>`],
    ["an import", (src: string) => `<script>import("${src}")</script>`],
    ["a file of another name", (src: string) => `<script src="${src}"></script>`],
  ])("finds itself as %s", async (_case, html) => {
    const visitor = await newVisitor()
    const text = await (await fetch(new URL("/service-tracker.js", gateway))).text()
    await visitor.page.route("**/service-tracker.js", route => route.abort())
    await visitor.page.route("**/first-party/*", route =>
      route.fulfill({ body: text, contentType: "text/javascript" }),
    ) // on the shop's own origin, since a module from another one would need CORS
    await visit(visitor, shop({ body: html("/first-party/script.js?program-id=7") }))
    expect(await visitor.page.evaluate(() => window.serviceTracker!.programId)).toBe(7)
  })

  test.each<[string, (src: string, integrity: string) => string]>([
    ["crossorigin", src => `<script async crossorigin src="${src}"></script>`],
    [
      "subresource integrity",
      (src, integrity) =>
        `<script async crossorigin="anonymous" integrity="${integrity}" src="${src}"></script>`,
    ],
    ["a module of another origin", src => `<script type="module" src="${src}"></script>`],
    ["an import from another origin", src => `<script>import("${src}")</script>`],
  ])("is loaded by any site with %s", async (_case, html) => {
    const script = new URL("/js/service-tracker.js", gateway)
    const text = await (await fetch(script)).text()
    const integrity = `sha384-${Bun.SHA384.hash(text, "base64")}`
    script.search = "?program-id=7"

    const visitor = await newVisitor()
    await visitor.page.route("**/service-tracker.js", route => route.abort()) // the usual tag
    await visit(visitor, shop({ body: html(script.href, integrity) }))
    expect(await visitor.page.evaluate(() => window.serviceTracker!.programId)).toBe(7)
    expect(visitor.errors).toEqual([])
  })

  test("counts once when it is loaded twice", async () => {
    const visitor = await newVisitor()
    const { href } = new URL("/js/service-tracker.js", gateway)
    const body = `<script async src="${href}" data-global="second"></script>`
    await visit(visitor, `${shop({ tag, body })}?aff=${program.code}`)
    await visitor.page.waitForFunction(
      () => window.serviceTracker === Reflect.get(window, "second"),
    )
    expect(visitor.calls).toHaveLength(1)
  })

  test("records a prerendered page only once it is shown", async () => {
    const visitor = await newVisitor()
    const before = `<script>
      Object.defineProperty(document, "prerendering", { value: true })
    </script>`
    await visitor.page.goto(`${shop({ tag, before })}?aff=${program.code}`)
    await visitor.page.waitForFunction(() => window.serviceTracker)
    await Bun.sleep(200)
    expect(visitor.calls).toHaveLength(0)

    await visitor.page.evaluate(() => {
      document.dispatchEvent(new Event("prerenderingchange"))
      return window.serviceTracker!.ready
    })
    expect(visitor.calls).toHaveLength(1)
  })
})
