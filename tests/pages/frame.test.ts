import { beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { SCREENS } from "../../web/screens"
import type { Screen } from "../../web/screens/screen"
import { newProgram, newProgramOf, type TestProgram } from "../support/program"
import { addressOf } from "./addresses"
import { brokenLayoutOf, prepareAxe, settled, violationsOf } from "./checks"
import { fullScene, HOSTILE_NAMES } from "./scenes"
import { describeInBrowser, useVisits } from "./visit"

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? "")
const ground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test("every screen is in the menu, or under one that is", () => {
  const screens: Record<string, Screen> = SCREENS
  const lost = Object.entries(screens)
    .filter(([name, { inMenu, under }]) => {
      return name !== "account/home" && !inMenu && !screens[under ?? ""]?.inMenu
    })
    .map(([name]) => name)
  expect(lost).toEqual([])
})

describeInBrowser("the frame of every screen", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram({ name: HOSTILE_NAMES[0] })
    for (const name of HOSTILE_NAMES.slice(1)) await newProgramOf(program, { name })
  })
  const visit = async (path: string, context = {}) => {
    const visit = await newVisit({ session: program.session, context })
    await prepareAxe(visit.page)
    await visit.open(path)
    await settled(visit.page)
    return visit
  }

  test("begins with a link that skips to the content", async () => {
    const { page } = await visit("/programs")
    await page.keyboard.press("Tab")
    const skip = page.getByRole("link", { name: "Skip to the content" })
    expect(await focused(page)).toBe("Skip to the content")
    expect((await skip.boundingBox())!.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement!.closest("main") !== null)).toBe(true)
  })

  test("moves the focus to the heading after navigation", async () => {
    const { page } = await visit("/")
    await page.waitForURL("**/programs")
    await page.waitForFunction(() => document.activeElement?.tagName === "H1")
    expect(await focused(page)).toBe("Programs")
  })

  test("marks where one is, on the page of a single thing too", async () => {
    const scene = await fullScene()
    const { page, open } = await newVisit({ session: scene.session })
    const menu = page.getByRole("navigation", { name: "Menu" })
    for (const [name, title, current] of [
      ["advertiser/partners", "Partners", "page"],
      ["advertiser/partner", "Partners", "true"],
      ["advertiser/group", "Groups", "true"],
      ["advertiser/decision", "Commissions", "true"],
      ["advertiser/journey", "Events", "true"],
      ["advertiser/first-run", "Integration", "true"],
      ["advertiser/new-program", "Programs", "true"],
    ] as const) {
      await open(addressOf(name, scene))
      const marked = menu.locator("[aria-current]")
      await marked.waitFor()
      expect(await marked.textContent(), name).toBe(title)
      expect(await marked.getAttribute("aria-current"), name).toBe(current)
    }
  })

  test("lists the keys in a dialog that gives the focus back, and turns single keys off", async () => {
    const { page, troubles } = await visit("/programs")
    const account = page.getByRole("button", { name: "Owner", exact: true })
    await account.focus()
    await page.keyboard.press("?")
    const dialog = page.getByRole("dialog", { name: "Keyboard" })
    await dialog.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByLabel("Use single keys").uncheck()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(await account.evaluate(button => button === document.activeElement)).toBe(true)

    await page.keyboard.press("g")
    await page.keyboard.press("p")
    expect(new URL(page.url()).pathname).toBe("/programs")
    expect(troubles).toEqual([])
  })

  test("keeps the chosen colors", async () => {
    const { page } = await visit("/programs")
    const light = await ground(page)
    await page.getByRole("button", { name: "Owner", exact: true }).click()
    await page.getByLabel("Dark").check()
    const dark = await ground(page)
    expect(dark).not.toBe(light)
    expect(await violationsOf(page)).toEqual([])
    await page.reload()
    await settled(page)
    expect(await ground(page)).toBe(dark)
  })

  test("opens its menus at 320 px, in the dark, with text twice as large", async () => {
    const context = { viewport: { width: 320, height: 640 }, colorScheme: "dark" } as const
    const { page } = await visit("/programs", context)
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))

    const menu = page.getByRole("button", { name: "Menu" })
    await menu.click()
    await page.getByRole("navigation").getByRole("link", { name: "Programs" }).waitFor()
    expect(await brokenLayoutOf(page)).toEqual([])
    expect(await violationsOf(page)).toEqual([])
    await menu.click()
    for (const button of await page.locator("[popovertarget]").all()) {
      await button.click()
      const popover = page.locator(":popover-open")
      const box = (await popover.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(320)
      expect(await brokenLayoutOf(page)).toEqual([])
      expect(await violationsOf(page)).toEqual([])
      await page.keyboard.press("Escape")
      await popover.waitFor({ state: "detached" })
    }
  })
})
