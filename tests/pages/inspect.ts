import type { Page } from "playwright-core"
import { brokenLayoutOf, violationsOf } from "./checks"

const WIDE = { width: 1_280, height: 800 }
const NARROW = { width: 320, height: 640 }
const CONTRAST = ["color-contrast"] // the only rule that the theme decides

/** What is wrong with an open page, light and dark, wide and narrow, and with larger text. Leaves it wide. */
export async function inspect(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  found["wide, light"] = await violationsOf(page)
  found.wide = await brokenLayoutOf(page)
  await page.emulateMedia({ colorScheme: "dark" })
  found["wide, dark"] = await violationsOf(page, CONTRAST)
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))
  found["text twice as large"] = await brokenLayoutOf(page)
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"))
  await page.setViewportSize(NARROW)
  found["narrow, dark"] = await violationsOf(page)
  found.narrow = await brokenLayoutOf(page)
  await page.emulateMedia({ colorScheme: "light" })
  found["narrow, light"] = await violationsOf(page, CONTRAST)
  await page.setViewportSize(WIDE)
  return found
}

/** Without the kinds of which there is nothing. */
export const onlyFilled = (found: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))
