import { afterAll, afterEach, beforeAll, setDefaultTimeout } from "bun:test"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { launchBrowser } from "../support/browser"
import { url } from "../support/world"

export { describeInBrowser } from "../support/browser"

const WAIT_MS = 15_000 // for anything on a page, on a busy machine
const TEST_MS = 60_000

export type VisitOptions = {
  /** The session of who visits, as its cookie. Absent: a visitor who is not signed in. */
  session?: string
  /** Dark, narrow, without JavaScript… 1280 × 800 and light unless said. */
  context?: BrowserContextOptions
  /** The Tributary that is visited. Absent: the one that all tests share. */
  at?: string
}

export type Visit = {
  page: Page
  /** Opens a path of the gateway and waits for its heading. */
  open(path: string): Promise<void>
  /** What no page may do: console errors, breaches of the policy, requests to other origins. */
  troubles: string[]
}

/**
 * One browser for the suite. Returns a function that opens a page for a person; all are closed after
 * each test. Everything that a page waits for has a limit, so that a test fails rather than hangs.
 */
export function useVisits() {
  setDefaultTimeout(TEST_MS)
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 30_000)
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(() => browser?.close())

  return (options: VisitOptions = {}): Promise<Visit> => newVisit(browser, options)
}

/** Opens a page in a context of its own. */
export async function newVisit(
  browser: Browser,
  { session, context: how = {}, at = url }: VisitOptions,
) {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...how,
  })
  context.setDefaultTimeout(WAIT_MS)
  if (session)
    await context.addCookies([{ name: "session", value: session, url: at, httpOnly: true }])
  const page = await context.newPage()
  const troubles = watch(page, at)
  const open = async (path: string) => {
    await page.goto(`${at}${path}`)
    const heading = page.locator("h1").first()
    await heading.waitFor().catch(error => {
      throw new Error(`${path} shows no heading. ${troubles.join(" ")}`, { cause: error })
    })
  }
  return { page, open, troubles }
}

/** Collects what no page may do. A breach of the policy is a console error in Chromium. */
function watch(page: Page, at: string): string[] {
  const troubles: string[] = []
  page.on("pageerror", error => troubles.push(`exception: ${error}`))
  page.on("console", message => {
    if (message.type() === "error")
      troubles.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on("request", request => {
    const address = request.url()
    if (!address.startsWith(at) && !/^(data|blob):/.test(address)) {
      troubles.push(`request to ${address}`)
    }
  })
  return troubles
}
