import type { Locator, Page } from "playwright-core"

const STEPS_MAX = 60

/** Presses Tab through the page. Returns each element that has the focus without showing it. */
export async function lostFocusOf(page: Page): Promise<string[]> {
  const lost: string[] = []
  for (let step = 0; step < STEPS_MAX; step++) {
    await page.keyboard.press("Tab")
    const found = await page.evaluate(troubleWithFocus)
    if (found === "end") break
    if (found) lost.push(found)
  }
  return lost
}

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator) {
  await target.waitFor()
  for (let step = 0; step < STEPS_MAX; step++) {
    await page.keyboard.press("Tab")
    if (await target.evaluate(element => element === document.activeElement)) return
  }
  throw new Error(`The keyboard does not reach ${target}.`)
}

/** Runs in the page. Null: the focus is where it can be seen. */
function troubleWithFocus(): string | null {
  const element = document.activeElement
  if (!element || element === document.body) return "end"
  const name = `${element.tagName.toLowerCase()} "${element.textContent?.trim().slice(0, 40)}"`
  if (element.matches("input[type=date]")) return null // its parts show the focus, unseen by scripts
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return `no outline: ${name}`

  const boxes = [...element.getClientRects()]
  const isInView = ({ left, right, top, bottom }: DOMRect) =>
    right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  const box = boxes.find(isInView)
  if (!box) return `out of view: ${name}`
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const top = document.elementFromPoint(
    Math.min(Math.max(x, 0), innerWidth - 1),
    Math.min(Math.max(y, 0), innerHeight - 1),
  )
  const isOnTop = top !== null && (element.contains(top) || top.contains(element))
  return isOnTop || top?.closest("label")?.contains(element)
    ? null
    : `behind ${top?.className}: ${name}`
}
