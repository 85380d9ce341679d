import { writeFileSync } from "node:fs"
import type { BrowserContext, Page } from "playwright-core"
import { NOW } from "./world"

export const ORIGIN = "http://tributary.example"

const HEIGHT = 560 // the least; a longer page is shown in whole, up to:
const HEIGHT_MAX = 1_500
const QUALITY = 85
const IDLE_TIMEOUT_MS = 8_000 // screens that ask again and again are never idle
const SETTLING_MS = 300

export type Look = { name: string; colorScheme: "light" | "dark"; width: number }

/** Opens a page at a time that stands still, with the size and theme of a look. */
export async function newPage(
  context: BrowserContext,
  { colorScheme, width }: Look,
): Promise<Page> {
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await page.setViewportSize({ width, height: HEIGHT })
  return page
}

/** Opens a screen, waits until it shows what it is to show, and writes its picture as WebP. */
export async function takePicture(page: Page, path: string, file: string) {
  await page.goto(`${ORIGIN}${path}`)
  await page.waitForLoadState("networkidle", { timeout: IDLE_TIMEOUT_MS }).catch(() => {})
  await page.locator("h1").first().waitFor()
  await page.locator(".busy").first().waitFor({ state: "detached" })
  await page.waitForTimeout(SETTLING_MS)

  const { width } = page.viewportSize()!
  const content = await page.evaluate(() => document.documentElement.scrollHeight)
  const height = Math.min(Math.max(content, HEIGHT), HEIGHT_MAX)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp", // which Playwright does not offer, and which takes a third of PNG
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  })
  await session.detach()
  writeFileSync(file, Buffer.from(data, "base64"))
}
