import { beforeAll, expect, test } from "bun:test"
import { newMember } from "../support/member"
import { newClick, newPartner, newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

const HOSTILE = `<script>alert(1)</script>\u202e"'&${"x".repeat(200)}🦀`

describeInBrowser("partners", () => {
  const newVisit = useVisits()
  let program: TestProgram
  let at: string
  beforeAll(async () => {
    program = await newProgram()
    at = `/programs/${program.program_id}`
  })
  const names = (page: import("playwright-core").Page) => page.getByRole("rowheader")

  test("a partner is added and invited, and accepts in another browser", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`${at}/partners`)
    await page.getByRole("button", { name: "Add a partner" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name", { exact: true }).fill("Ada Lovelace")
    const email = `ada-${Date.now()}@example.com`
    await dialog.getByLabel("E-mail address").fill(email)
    await dialog.getByRole("button", { name: "Add a partner" }).click()
    await page.getByRole("heading", { name: "Ada Lovelace", level: 1 }).waitFor()

    await page.getByRole("button", { name: "Invite", exact: true }).click()
    const link = await page.getByRole("dialog").locator("code").textContent()
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByText("Invited. The invitation is open").waitFor()

    const person = await newVisit()
    await person.page.goto(link!)
    await person.page.getByLabel("Password").fill("correct horse battery")
    await person.page.getByRole("button", { name: "Accept the invitation" }).click()
    await person.page.waitForURL(url => url.pathname !== "/invitation")

    await open(page.url().replace(/^https?:\/\/[^/]+/, ""))
    await page.getByText("Has an account in the partner portal.").waitFor()
    await page.getByText("Invited the partner").waitFor()
    const seen = page.getByRole("link", { name: "See as this partner" })
    expect(await seen.getAttribute("href")).toMatch(/^\/partner\/programs\/\d+\?as_partner=\d+$/)
    expect(troubles).toEqual([])
  })

  test("filters and order are the address, and survive a reload", async () => {
    await newPartner(program, { name: "Zoë" })
    await newPartner(program, { name: "Bob" })
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`${at}/partners`)
    await page.getByLabel("Name, e-mail or code").fill("zoë") // no code of another can contain it
    await page.waitForURL(url => url.searchParams.get("search") === "zoë")
    await page.getByRole("rowheader", { name: "Zoë" }).waitFor()
    await page.getByRole("rowheader", { name: "Bob" }).waitFor({ state: "detached" })
    expect(await names(page).allTextContents()).toEqual(["Zoë"])

    await open(`${at}/partners?sort=name&status=approved`)
    await names(page).first().waitFor()
    const shown = await names(page).allTextContents()
    await page.reload()
    await names(page).first().waitFor()
    expect(await names(page).allTextContents()).toEqual(shown)
    expect(shown.indexOf("Bob")).toBeLessThan(shown.indexOf("Zoë"))
    expect(troubles).toEqual([])
  })

  test("many are changed at once; one that fails is named, and the rest is done", async () => {
    const own = await newProgram()
    const [one, two] = [
      await newPartner(own, { name: "Goes" }),
      await newPartner(own, { name: "Fails" }),
    ]
    const { page, open } = await newVisit({ session: own.session })
    await page.route("**/partners/bulk", async route => {
      const { ids, ...step } = route.request().postDataJSON()
      const others = ids.map((id: number) => (id === two.partner_id ? 999_999_999 : id))
      const reply = await route.fetch({ postData: { ...step, ids: others } })
      const { data } = await reply.json()
      const rows = data.map((row: { id: number }) =>
        row.id === 999_999_999 ? { ...row, id: two.partner_id } : row,
      )
      await route.fulfill({ response: reply, json: { data: rows } })
    })
    await open(`/programs/${own.program_id}/partners`)
    await page.getByLabel("Select Goes").check()
    await page.getByLabel("Select Fails").check()
    await page.getByRole("button", { name: "Suspend 2" }).click()
    const results = page.getByRole("status", { name: "What happened" })
    await results.getByText("1 partner was changed.").waitFor()
    expect(await results.getByRole("listitem").allTextContents()).toEqual([
      "Fails: Partner not found in this program.",
    ])
    const path = `${own.path}/partners/${one.partner_id}`
    expect((await send("GET", path, { token: own.session })).body.data.status).toBe("suspended")
  })

  test("a changed policy holds from then on; the older sale keeps its version", async () => {
    const own = await newProgram()
    const sell = async () => {
      const click_id = await newClick(own)
      const body = { transaction_id: crypto.randomUUID(), amount_cents: 10_000, click_id }
      const sold = await send("POST", "/api/v1/track/sale", { token: own.api_token, body })
      const path = `${own.path}/sales/${sold.body.sale_id}`
      return async () => (await send("GET", path, { token: own.session })).body.data.commission
    }
    const older = await sell()
    const { page, open, troubles } = await newVisit({ session: own.session })
    await open(`/programs/${own.program_id}/groups`)
    await page.getByRole("link", { name: "Default" }).click()
    await page.getByRole("heading", { name: "Default", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Change the policy" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Share of each sale, in %").fill("12.5")
    await dialog.getByLabel("Hold, in days").fill("7")
    await dialog.getByRole("button", { name: "Save the new version" }).click()
    await page.getByRole("heading", { name: "Version 2" }).waitFor()
    const versions = page.locator(".time-line > li")
    expect(await versions.count()).toBe(2)
    expect(await versions.first().textContent()).toContain("In force")
    expect(await versions.first().textContent()).toContain("12.5\u00a0%")
    expect(await versions.last().textContent()).toContain("Past")

    const newer = await sell()
    expect(await older()).toMatchObject({ policy_version: 1, amount_cents: 3_000 })
    expect(await newer()).toMatchObject({ policy_version: 2, amount_cents: 1_250 })
    expect(troubles).toEqual([])
  })

  test("a link is made, paused, and shown as a QR code", async () => {
    const code = `page-${Date.now().toString(36)}`
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`${at}/links`)
    await page.getByRole("button", { name: "Create a link" }).click()
    const dialog = page.getByRole("dialog")
    await dialog
      .getByRole("option", { name: /^Partner, / })
      .first()
      .waitFor({ state: "attached" })
    await dialog.getByLabel("Code", { exact: true }).fill(code)
    await dialog.getByLabel("Leads to").fill("https://shop.example/shoes")
    await dialog.getByRole("button", { name: "Create a link" }).click()
    await page.getByRole("rowheader", { name: code }).waitFor()
    await page.getByText(`https://shop.example/shoes?aff=${code}`).waitFor()

    await page.getByRole("button", { name: `QR code of ${code}` }).click()
    const svg = page.getByRole("link", { name: "Download SVG" })
    expect(await svg.getAttribute("href")).toStartWith("data:image/svg+xml,")
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: `Pause ${code}` }).click()
    await page.getByRole("button", { name: `Resume ${code}` }).waitFor()
    expect(troubles).toEqual([])
  })

  test("a hostile name is text on every screen, and breaks no layout at 320 px", async () => {
    const own = await newProgram()
    const { partner_id } = await newPartner(own, { name: HOSTILE })
    await send("PUT", `${own.path}/partners/${partner_id}`, {
      token: own.session,
      body: { note: HOSTILE.repeat(5) },
    })
    const context = { viewport: { width: 320, height: 640 } }
    const { page, open, troubles } = await newVisit({ session: own.session, context })
    for (const path of ["partners", `partners/${partner_id}`, "links", "groups"]) {
      await open(`/programs/${own.program_id}/${path}`)
      await page.getByRole("table").first().waitFor()
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(320)
      if (path !== "groups") await page.getByText(HOSTILE.slice(0, 20)).first().waitFor()
    }
    expect(troubles).toEqual([])
  })

  test("an analyst sees them, and is offered no change", async () => {
    const session = await newMember(program, "analyst")
    const { page, open, troubles } = await newVisit({ session })
    for (const path of ["partners", `partners/${program.partner_id}`, "links", "groups"]) {
      await open(`${at}/${path}`)
      await page.getByRole("table").first().waitFor()
      expect(
        await page.getByRole("button", { name: /Add|Create|Invite|Pause|Save|Suspend/ }).count(),
      ).toBe(0)
      expect(await page.getByRole("checkbox").count()).toBe(0)
    }
    expect(troubles).toEqual([])
  })
})
