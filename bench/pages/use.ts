import type { Page } from "playwright-core"
import { newContext, newSlowPage, recordOf, type Site, shown } from "./site"

export type Use = { changed_ms: number[]; inp_ms: number; longest_task_ms: number }

/** Turns the pages of the list of events with the keyboard. */
export async function measureUse(site: Site, presses: number): Promise<Use> {
  const context = await newContext(site)
  try {
    const [page] = await newSlowPage(context)
    await page.goto(`${site.url}/programs/${site.program_id}/events`)
    await shown(page)
    const changed_ms: number[] = []
    while (changed_ms.length < presses) changed_ms.push(await turn(page))
    await page.waitForTimeout(500) // events are reported late
    const { inp_ms, longest_task_ms } = await recordOf(page)
    return { changed_ms, inp_ms, longest_task_ms }
  } finally {
    await context.close()
  }
}

/** From the key to the first frame with other rows. */
async function turn(page: Page): Promise<number> {
  await page.locator(".pages a").last().focus()
  const changed = page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const rows = () => document.querySelector("tbody")?.textContent
        const [before, body] = [rows(), document.querySelector("main")!]
        let pressed_ms = 0
        addEventListener("keydown", ({ timeStamp }) => (pressed_ms = timeStamp), { once: true })
        const observer = new MutationObserver(() => {
          if (rows() === before || document.querySelector("[aria-busy=true]")) return
          observer.disconnect()
          requestAnimationFrame(time => resolve(time - pressed_ms))
        })
        observer.observe(body, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        })
      }),
  )
  await page.keyboard.press("Enter")
  return changed
}
