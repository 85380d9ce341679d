import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { newOwner, newProgram, newProgramOf, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

const CHUNK = /\/web\/programs-\w+\.js/
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 })

describeInBrowser("a page in trouble", () => {
  const newVisit = useVisits()

  test("is loaded again, once, when an update has taken its script away", async () => {
    const { session } = await newOwner()
    const { page, open } = await newVisit({ session })
    let loads = 0
    page.on("request", request => {
      if (request.isNavigationRequest()) loads++
    })
    await page.route(CHUNK, route =>
      loads === 1 ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await open("/programs")
    await heading(page, "Programs").waitFor()
    expect(loads).toBe(2)
  })

  test("says so when its script does not come at all", async () => {
    const { session } = await newOwner()
    const { page, open } = await newVisit({ session })
    await page.route(CHUNK, route => route.fulfill({ status: 404 }))
    await open("/programs")
    await heading(page, "This page did not load completely").waitFor()
    await page.unroute(CHUNK)
    await page.getByRole("button", { name: "Try again" }).click()
    await heading(page, "Programs").waitFor()
  })

  test("asks to sign in when the session has ended, and then goes on with what was begun", async () => {
    const program = await newProgram()
    await newPrograms(program)
    const { page, open } = await newVisit({ session: program.session })
    await open("/programs")
    await page.getByRole("row").nth(1).waitFor()
    await send("POST", "/api/auth/sign-out", { token: program.session })

    await page.getByRole("link", { name: "Next page" }).click()
    const dialog = page.getByRole("dialog", { name: "Sign in again" })
    await dialog.getByLabel("E-mail address").fill(program.email)
    await dialog.getByLabel("Password").fill("not the password")
    await page.keyboard.press("Enter")
    await dialog.getByRole("alert").waitFor()
    expect(await dialog.getByLabel("E-mail address").inputValue()).toBe(program.email)
    await dialog.getByLabel("Password").fill(program.password)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await page.getByText("11–11 of 11").waitFor()
    expect(new URL(page.url()).searchParams.get("page")).toBe("2")
  })

  test("says that a program is not there, or another's, instead of waiting for it", async () => {
    const { session } = await newOwner()
    const { program_id } = await newProgram()
    const { page, open } = await newVisit({ session })
    for (const id of [program_id, 999_999_999]) {
      await open(`/programs/${id}/partners`)
      await page.getByRole("alert").getByText("Program not found").first().waitFor()
    }
  })

  test("does not take a reply that broke off for an empty one", async () => {
    const program = await newProgram({ name: "Kept shop" })
    const { page, open } = await newVisit({ session: program.session })
    const PROGRAMS = /\/affiliate-programs(\?|$)/
    await page.route(PROGRAMS, route =>
      route.fulfill({ status: 200, contentType: "application/json", body: '{"data": [' }),
    )
    await open("/programs")
    await page.getByRole("alert").getByText("did not reply").waitFor()
    await page.unroute(PROGRAMS)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("rowheader", { name: "Kept shop" }).waitFor()
  })

  test("says what was refused before it was known who may see it", async () => {
    const { session, program_id } = await newProgram()
    const { page, open } = await newVisit({ session })
    await page.route(/\/decisions\?/, route =>
      route.fulfill({ status: 500, json: { error: "The decision could not be read." } }),
    )
    await page.route(/\/affiliate-programs\/\d+$/, async route => {
      await Bun.sleep(1_000)
      await route.continue()
    })
    await open(`/programs/${program_id}/sales/1`)
    await page.getByRole("alert").getByText("The decision could not be read.").waitFor()
  })

  test("says that it is offline, and keeps what is loaded", async () => {
    const program = await newProgram({ name: "Kept shop" })
    const { page, open } = await newVisit({ session: program.session })
    await open("/programs")
    await page.getByRole("rowheader", { name: "Kept shop" }).waitFor()
    await page.context().setOffline(true)
    await page.getByText("You are offline.").waitFor()
    expect(await page.getByRole("rowheader", { name: "Kept shop" }).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await page.getByText("You are offline.").waitFor({ state: "hidden" })
  })
})

/** As many programs as fill the first page of a list, with the one that exists. */
async function newPrograms(program: TestProgram) {
  for (let i = 0; i < 10; i++) await newProgramOf(program)
}
