import { expect, test } from "bun:test"
import { newEmail } from "../support/partner-account"
import { addressOf, names } from "./addresses"
import { fullScene } from "./scenes"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("without JavaScript", () => {
  const newVisit = useVisits()

  test("every screen says that it needs it, and leads to the API reference", async () => {
    const scene = await fullScene()
    const { page, open, troubles } = await newVisit({ context: { javaScriptEnabled: false } })
    for (const name of names) {
      await open(addressOf(name, scene))
      expect(await page.locator("main").textContent()).toContain("This page needs JavaScript.")
      expect(await page.getByRole("link", { name: "API reference" }).getAttribute("href")).toBe(
        "/docs",
      )
    }
    expect(troubles).toEqual([])
  })

  test("a person signs up, and signs in again after a mistake", async () => {
    const owner = { email: newEmail(), password: "correct horse battery" }
    const { page, open } = await newVisit({ context: { javaScriptEnabled: false } })
    await open("/sign-up?next=%2Fprograms")
    await page.getByLabel("Your name").fill("Ada")
    await page.getByLabel("E-mail address").fill(owner.email)
    await page.getByLabel("Password").fill(owner.password)
    await page.getByRole("button", { name: "Create an account" }).click()
    await page.waitForURL("**/programs")

    await page.context().clearCookies()
    await open("/sign-in?next=%2Fprograms")
    await page.getByLabel("E-mail address").fill(owner.email)
    await page.getByLabel("Password").fill("another password")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").waitFor()
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(owner.email)
    await page.getByLabel("Password").fill(owner.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL("**/programs")
  })

  test("an address that does not exist has a page that says so", async () => {
    const { page, open } = await newVisit({ context: { javaScriptEnabled: false } })
    await open("/no-such-page")
    expect(await page.locator("h1").textContent()).toBe("There is nothing at this address")
    expect(await page.getByRole("link").getAttribute("href")).toBe("/")
  })
})
