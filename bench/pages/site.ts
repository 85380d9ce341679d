import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core"

const THROTTLE = 4
const WAIT_MS = 60_000

export type Site = { browser: Browser; url: string; session: string; program_id: number }

/** What a page records of itself, from its start. */
export type Record = { lcp_ms: number; cls: number; longest_task_ms: number; inp_ms: number }

/** A context with an empty cache, signed in. */
export async function newContext({ browser, url, session }: Site): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
  context.setDefaultTimeout(WAIT_MS)
  await context.addCookies([{ name: "session", value: session, url, httpOnly: true }])
  await context.addInitScript(observe)
  return context
}

/** A page on a processor that is four times slower. */
export async function newSlowPage(context: BrowserContext): Promise<[Page, CDPSession]> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE })
  return [page, devtools]
}

/** Waits until everything that the page requested is shown. */
export async function shown(page: Page) {
  await page.locator("h1").first().waitFor()
  await page.waitForFunction(() => !document.querySelector(".busy, [aria-busy=true]"))
  await page.waitForTimeout(500) // paints are reported late
}

export const recordOf = (page: Page): Promise<Record> =>
  page.evaluate(() => (window as unknown as { record: Record }).record)

/** Runs in the page, before its own scripts. */
function observe() {
  const record = { lcp_ms: 0, cls: 0, longest_task_ms: 0, inp_ms: 0 }
  Object.assign(window, { record })
  const watch = (
    type: string,
    note: (entry: any) => void, // any: each type has its own fields
  ) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit)
  watch("largest-contentful-paint", ({ startTime }) => {
    record.lcp_ms = startTime
  })
  watch("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) record.cls += value
  })
  watch("longtask", ({ duration }) => {
    record.longest_task_ms = Math.max(record.longest_task_ms, duration)
  })
  watch("event", ({ duration, interactionId }) => {
    if (interactionId) record.inp_ms = Math.max(record.inp_ms, duration)
  })
}
