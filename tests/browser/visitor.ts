import { afterAll, afterEach, beforeAll } from "bun:test"
import type { Browser, Page } from "playwright-core"
import { launchBrowser } from "../support/browser"

export { describeInBrowser } from "../support/browser"

export interface Visitor {
  page: Page
  calls: { path: string; body: any }[] // requests of the page to the gateway, in order
  errors: string[] // uncaught exceptions and rejections in the page
}

/** Opens one browser for the suite. Returns a function that opens a page for a new visitor. */
export function useBrowser() {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 30_000)
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(() => browser?.close())

  return async (): Promise<Visitor> => {
    const page = await (await browser.newContext()).newPage()
    const visitor: Visitor = { page, calls: [], errors: [] }
    page.on("pageerror", error => visitor.errors.push(String(error)))
    page.on("request", request => {
      const { pathname } = new URL(request.url())
      if (request.method() !== "POST" || !pathname.startsWith("/api/")) return
      visitor.calls.push({ path: pathname, body: JSON.parse(request.postData()!) })
    })
    return visitor
  }
}

/** Opens a page and waits until the script has recorded the visit. */
export async function visit({ page }: Visitor, url: string) {
  await page.goto(url)
  await page.waitForFunction(() => window.serviceTracker?.ready)
  await page.evaluate(() => window.serviceTracker!.ready)
}

/** The cookies of the visitor's page, by name. */
export async function cookiesOf({ page }: Visitor) {
  const cookies = await page.context().cookies(page.url())
  return Object.fromEntries(cookies.map(cookie => [cookie.name, cookie]))
}
