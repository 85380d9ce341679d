import { beforeEach, expect, test } from "bun:test"
import { PNG as PIXEL } from "../support/logo"
import { newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("the settings of a program", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeEach(async () => {
    program = await newProgram()
  })

  const path = (screen: string) => `/programs/${program.program_id}/${screen}`
  const shown = async () => (await send("GET", program.path, { token: program.session })).body.data

  test("are changed, published and paused", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(path("settings"))
    await page.getByLabel("Attribution window, in days").fill("30")
    await page.getByRole("button", { name: "Save the settings" }).click()
    await page.getByText("The settings are saved.").waitFor()
    expect(await shown()).toMatchObject({ cookie_window_days: 30, attribution_model: "last_click" })

    await page.getByRole("button", { name: "Publish the program" }).click()
    await page.getByRole("link", { name: "Its public page" }).waitFor()
    await page.getByRole("button", { name: "Pause the program" }).click()
    await page.getByRole("button", { name: "Resume the program" }).waitFor()
    expect(await shown()).toMatchObject({ status: "paused", published_at: expect.any(String) })
    expect(troubles).toEqual([])
  })

  test("say what archiving cannot undo, and archive once the name is typed", async () => {
    const { name } = await shown()
    const { page, open } = await newVisit({ session: program.session })
    await open(path("settings"))
    await page.getByRole("button", { name: "Archive the program…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("This cannot be undone.").waitFor()
    const archive = dialog.getByRole("button", { name: "Archive for good" })
    expect(await archive.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type /).fill(name)
    await archive.click()
    await page.getByRole("heading", { name: "This program is archived" }).waitFor()
    expect((await shown()).status).toBe("archived")
  })

  test("are refused with the reason when another tab has archived the program", async () => {
    const { page, open } = await newVisit({ session: program.session })
    await open(path("settings"))
    const button = page.getByRole("button", { name: "Save the settings" })
    await button.waitFor()
    await send("DELETE", program.path, { token: program.session })
    await page.getByLabel("Attribution window, in days").fill("7")
    await button.click()
    await page.getByRole("heading", { name: "This program is archived" }).waitFor()
    expect((await shown()).cookie_window_days).toBe(60)
  })

  test("branding: a color that is hard to read is refused, and the nearest is offered", async () => {
    const { page, open } = await newVisit({ session: program.session })
    await open(path("branding"))
    await page.getByLabel("Color").fill("#ffd400")
    await page.getByLabel("Welcome").fill("<script>alert(1)</script> Welcome!")
    const save = page.getByRole("button", { name: "Save the branding" })
    await save.click()
    await page.getByText("The nearest that passes is #8c7500.").waitFor()
    await page.getByRole("button", { name: "Use #8c7500" }).click()
    await page.getByLabel("Logo").setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from(await new Bun.Image(Buffer.from(PIXEL, "base64")).resize(40, 20).bytes()),
    })
    await page.getByRole("img", { name: /^Logo of / }).waitFor()
    await save.click()
    await page.getByText("Partners see the new branding from now on.").waitFor()
    const { data } = (await send("GET", `${program.path}/branding`, { token: program.session }))
      .body
    expect(data).toEqual({
      color: "#8c7500",
      welcome: "<script>alert(1)</script> Welcome!",
      logo: expect.stringMatching(/^\/api\/public\/logos\//),
    })
    await page.locator(`img[src="${data.logo}"]`).waitFor()

    await page.getByLabel("Terms").fill("No brand bidding.")
    await page.getByRole("button", { name: "Save as the new version" }).click()
    await page.getByText(/^Version 1, since /).waitFor()
  })
})
