import { join } from "node:path"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"

const axe_file = join(import.meta.dir, "../../node_modules/axe-core/axe.min.js")

/** Loads axe with each page that is opened from now on. */
export const prepareAxe = (page: Page) => page.addInitScript({ path: axe_file })

/** What axe finds wrong, as "rule: element". `rules` limits it to these. */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate(
    options =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        options,
      ),
    options,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`))
}

/** What no layout may do: scroll sideways, or let text run out of its box or be cut off. */
export const brokenLayoutOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = []
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.trim().slice(0, 40)}"`
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) {
      const widest = [...document.body.querySelectorAll("*")].find(
        element => element.getBoundingClientRect().right > clientWidth + 1,
      )
      broken.push(`scrolls sideways by ${scrollWidth - clientWidth}: ${widest && nameOf(widest)}`)
    }
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const hasText = [...element.childNodes].some(
        node => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      if (!hasText || element.clientWidth === 0) continue
      if (element.closest(".visually-hidden, pre, select, svg")) continue // a picture grows as a whole
      const { textOverflow, overflowX } = getComputedStyle(element)
      if (textOverflow === "ellipsis" || overflowX === "auto" || overflowX === "scroll") continue
      if (element.scrollWidth > element.clientWidth + 1) {
        broken.push(`text leaves its box: ${nameOf(element)}`)
      }
    }
    return broken
  })

/** Waits until each request of the page has a reply or a refusal. */
export async function settled(page: Page) {
  await page.locator("h1").first().waitFor()
  await page.waitForFunction(() => !document.querySelector(".busy, [aria-busy=true]"))
}
