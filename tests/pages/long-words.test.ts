import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import type { Browser, Page } from "playwright-core"
import { constantsOf } from "../../gateway/routes/pages/bundle"
import { ROUTES } from "../../gateway/routes/routes"
import { type Bundle, build } from "../../web/build"
import { shellOf } from "../../web/document"
import type { ScreenName } from "../../web/screens"
import { launchBrowser } from "../support/browser"
import { url } from "../support/world"
import { addressOf, names, sessionFor } from "./addresses"
import { brokenLayoutOf, settled } from "./checks"
import { lengthened, longLanguage } from "./long-language"
import { publicPathOf } from "./public-paths"
import { fullScene, newEmptyScene } from "./scenes"
import { describeInBrowser, newVisit, type Visit } from "./visit"

setDefaultTimeout(60_000)

const WIDE = { width: 1_280, height: 800 }
const NARROW = { width: 320, height: 640 }

test("the long language is longer, in texts, lists and sentences with gaps", () => {
  const words = {
    title: "Reject 3 commissions",
    keys: [["g", "Search"]],
    of: (n: number) => `${n} of all`,
  }
  const long = lengthened(words) as typeof words
  expect({ ...long, of: long.of(3) }).toEqual({
    title: "RejectRej 3 commissionscommi",
    keys: [["g", "SearchSea"]],
    of: "3 ofo allal",
  })
})

describeInBrowser("in a language with longer words", () => {
  let browser: Browser
  let bundle: Bundle
  let empty: Awaited<ReturnType<typeof newEmptyScene>>
  const visits = new Map<string, Visit>()
  beforeAll(async () => {
    browser = await launchBrowser()
    bundle = await build(constantsOf(ROUTES), [longLanguage])
    empty = await newEmptyScene()
  }, 60_000)
  afterAll(() => browser?.close())

  async function visitOf(session: string): Promise<Visit> {
    const known = visits.get(session)
    if (known) return known
    const visit = await newVisit(browser, { session })
    visits.set(session, visit)
    await visit.page.route(`${url}/web/*`, route => {
      const name = new URL(route.request().url()).pathname.replace("/web/", "")
      const file = bundle.files.get(name)
      return file ? route.fulfill({ contentType: file.type, body: file.text }) : route.continue()
    })
    return visit
  }

  test.each(names)("%s keeps its layout", async name => {
    const found: Record<string, string[]> = {}
    for (const scene of [await fullScene(), empty]) {
      const { page, open } = await visitOf(sessionFor(name, scene))
      const path = addressOf(name, scene)
      await serveShell(page, path, name)
      await page.setViewportSize(WIDE)
      await open(path)
      await settled(page)
      const what = "group_id" in scene ? "full" : "empty"
      found[`${what}, wide`] = await brokenLayoutOf(page)
      await page.setViewportSize(NARROW)
      found[`${what}, narrow`] = await brokenLayoutOf(page)
    }
    expect(Object.entries(found).filter(([, list]) => list.length > 0)).toEqual([])
  })

  test.each(["sign-in", "sign-up", "invitation", "join"])("/%s keeps its layout", async name => {
    const { page, open } = await newVisit(browser, {})
    await open(await publicPathOf(name))
    const heading = page.locator("h1")
    const short = await heading.textContent()
    await page.evaluate(`{ ${lengthened}; (${lengthenPage})() }`)
    expect(await heading.textContent()).toBe(lengthened(short) as string)
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size)
      expect(await brokenLayoutOf(page), `${size.width} px`).toEqual([])
    }
  })

  /** Replaces the screen's shell by that of the long language, under the same policy. */
  const serveShell = (page: Page, path: string, name: ScreenName) =>
    page.route(`${url}${path}`, async route => {
      const response = await route.fetch()
      const body = shellOf(bundle, name, name)
      await route.fulfill({
        response,
        body,
        headers: { ...response.headers(), "content-encoding": "" },
      })
    })
})

/** Runs in the page. Puts its texts into the long language, as far as the server has written them. */
function lengthenPage() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    if (!texts.currentNode.parentElement?.closest("script, style")) {
      texts.currentNode.nodeValue = lengthened(texts.currentNode.nodeValue) as string
    }
  }
}
