import { beforeAll, expect, test } from "bun:test"
import { newSale, refund, sell, settle } from "../support/books"
import { newEmail, newPartnerAccount } from "../support/partner-account"
import { newClick, newProgram, type TestProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("the partner portal", () => {
  const newVisit = useVisits()
  let program: TestProgram
  let session: string
  let home: string
  beforeAll(async () => {
    program = await newProgram({
      name: "Acme <script>alert(1)</script>",
      website_url: "https://shop.example/",
    })
    session = await newPartnerAccount(program)
    home = `/partner/programs/${program.program_id}`
    await sell(program, program.code)
    const paid = await sell(program, program.code)
    await settle(program, paid.commission_id, "approve")
    await settle(program, paid.commission_id, "mark-paid")
    await sell(program, program.code, { currency: "JPY", amount_cents: 1_000 })
    const terms = { token: program.session, body: { text: "No spam." } }
    await send("PUT", `${program.path}/terms`, terms)
  })

  test("makes a link with a sub id and a QR code, whose click arrives (journey 8)", async () => {
    const { page, open, troubles } = await newVisit({ session })
    await open(`${home}/links`)
    await page.getByLabel("Page of the site").fill("https://shop.example/shoes?size=8")
    await page.getByLabel("Sub id").fill("newsletter-12")
    const address = `https://shop.example/shoes?size=8&aff=${program.code}&sub_id=newsletter-12`
    const result = page.locator("output")
    await result.getByText(address, { exact: true }).waitFor()

    await page.reload()
    await result.getByText(address, { exact: true }).waitFor()
    await result.getByRole("button", { name: /^QR code/ }).click()
    const dialog = page.getByRole("dialog")
    const picture = dialog.getByRole("img", { name: `QR code that leads to ${address}` })
    await picture.waitFor()
    expect(await picture.getAttribute("src")).toStartWith("data:image/svg+xml,")
    const download = async (name: string) => {
      const waiting = page.waitForEvent("download")
      await dialog.getByRole("link", { name }).click()
      return (await waiting).suggestedFilename()
    }
    expect(await download("Download SVG")).toBe("newsletter-12.svg")
    expect(await download("Download PNG")).toBe("newsletter-12.png")

    await newClick(program, { affiliate_url: address })
    await open(`${home}/numbers?by=sub_id`)
    const row = page.getByRole("row", { name: /newsletter-12/ })
    await row.waitFor()
    expect(await row.getByRole("cell").first().textContent()).toBe("1")
    expect(troubles).toEqual([])
  })

  test("refuses a page of another site, and makes a new link", async () => {
    const { page, open, troubles } = await newVisit({ session })
    await open(`${home}/links`)
    await page.getByLabel("Page of the site").fill("https://evil.example/")
    await page.getByText("This page is not on shop.example.").waitFor()
    await page.getByLabel("Page of the site").fill("")
    await page.getByRole("button", { name: "Create a new link" }).click()
    const code = `own-${Date.now().toString(36)}`
    await page.getByRole("dialog").getByLabel("Short name").fill(code)
    await page.getByRole("button", { name: "Create the link" }).click()
    await page.getByRole("rowheader", { name: code }).waitFor()
    await page.locator("output").getByText(`https://shop.example/?aff=${code}`).waitFor()
    expect(troubles).toEqual([])
  })

  test("shows what was earned, by status and currency, and accepts the terms", async () => {
    const { page, open, troubles } = await newVisit({ session })
    await open(home)
    await page.getByText("Acme <script>alert(1)</script>").first().waitFor()
    await page.getByText(/^15\.00\sUSD becomes yours on \d+ \w+ \d{4}\.$/).waitFor()
    await page.getByText(/^300\sJPY becomes yours on/).waitFor()
    await page.getByText("30 % of each sale, for life").waitFor()
    await page.getByRole("button", { name: "Accept the terms" }).click()
    await page.getByText(/^You accepted them on/).waitFor({ state: "attached" })
    expect(troubles).toEqual([])
  })

  test("has every ledger entry in its statement, in one currency at a time", async () => {
    const { page, open, troubles } = await newVisit({ session })
    await open(`${home}/statement`)
    await page.getByRole("rowheader").first().waitFor()
    const path = `/api/partner/ledger?program_id=${program.program_id}&currency=USD`
    const { data } = (await send("GET", path, { token: session })).body
    expect(await page.getByRole("rowheader").count()).toBe(data.length)
    await page.getByLabel("Currency").selectOption("JPY")
    await page.getByRole("cell", { name: "300 JPY" }).waitFor()
    expect(new URL(page.url()).searchParams.get("currency")).toBe("JPY")
    expect(troubles).toEqual([])
  })

  test("reads its statement once, in the program's currency, however late that is known", async () => {
    const { page, open, troubles } = await newVisit({ session })
    const requested: (string | null)[] = []
    page.on("request", request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === "/api/partner/ledger") requested.push(searchParams.get("currency"))
    })
    await page.route(/\/api\/partner\/programs\/\d+/, async route => {
      await Bun.sleep(500)
      await route.continue()
    })
    await open(`${home}/statement`)
    await page.getByRole("table", { name: /USD/ }).waitFor()
    expect(requested).toEqual(["USD"])
    expect(troubles).toEqual([])
  })

  test("shows a rejection with its reason, and marks it as read", async () => {
    const sale = await newSale(program)
    await settle(program, sale.commission_id, "reject", { reason: "The order was a test." })
    const partner = await newPartnerAccount({ ...program, partner_id: sale.partner_id })
    const { page, open, troubles } = await newVisit({ session: partner })
    await open("/partner/notifications")
    await page.getByText("The order was a test.").waitFor()
    await page.getByRole("button", { name: "Mark these as read" }).click()
    await page.getByRole("cell", { name: "Read", exact: true }).waitFor()
    expect(troubles).toEqual([])
  })

  test("lists the programs of a person, and never adds up currencies", async () => {
    const email = newEmail()
    let token = ""
    for (const each of [program, await newProgram({ currency: "EUR", name: "Second" })]) {
      const sale = await newSale(each, { currency: each === program ? "USD" : "EUR" })
      token = await newPartnerAccount({ ...each, partner_id: sale.partner_id }, email)
    }
    const { page, open, troubles } = await newVisit({ session: token })
    await open("/partner")
    await page.getByRole("link", { name: "Second" }).waitFor()
    await page.getByText("Owed to you in EUR").waitFor()
    const figures = await page.locator(".figure").allTextContents()
    expect(figures.map(text => text.replace("\u00a0", " "))).toEqual([
      "15.00 EUR",
      "0.00 EUR",
      "15.00 USD",
      "0.00 USD",
    ])
    expect(troubles).toEqual([])
  })

  test("says why a sale was not paid, in the same words as the decision (journey 12)", async () => {
    const sale = await newSale(program)
    await settle(program, sale.commission_id, "reject", { reason: "Own purchase." })
    const partner = { ...program, partner_id: sale.partner_id }
    const { page, open, troubles } = await newVisit({ session: await newPartnerAccount(partner) })
    await open(`${home}/conversions`)
    const sentence = "Not paid: the advertiser rejected it. Reason: Own purchase."
    await page.getByRole("cell", { name: sentence }).waitFor()
    await page.getByRole("link", { name: `Why sale ${sale.sale_id} ended so` }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(sentence).first().waitFor()
    await dialog.getByText("It was the customer's only click.").waitFor()

    await page.reload()
    await dialog.getByText(sentence).first().waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByLabel("Status").selectOption("paid")
    await page.getByText("No conversion has this status in this period").waitFor()
    expect(troubles).toEqual([])
  })

  test("says that a member looks on as a partner, who can change nothing", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`${home}/links?as_partner=${program.partner_id}`)
    await page.getByText("You can change nothing here.").waitFor()
    await page.getByRole("rowheader", { name: program.code, exact: true }).waitFor()
    expect(await page.getByRole("button", { name: "Create a new link" }).count()).toBe(0)
    await page.getByRole("link", { name: "Statement" }).click()
    await page.getByRole("rowheader").first().waitFor()
    expect(new URL(page.url()).searchParams.get("as_partner")).toBe(`${program.partner_id}`)
    expect(troubles).toEqual([])
  })

  test("shows nothing of another partner, whatever the address says (H2)", async () => {
    const other = await newSale(program, { transaction_id: `secret-${Date.now()}` })
    await refund(program, { transaction_id: other.transaction_id })
    const { page, open } = await newVisit({ session })
    for (const screen of ["", "/links", "/numbers", "/conversions", "/statement"]) {
      await open(`${home}${screen}?as_partner=${other.partner_id}`)
      await page.getByRole("alert").first().waitFor()
      expect(await page.content()).not.toContain(other.code)
      expect(await page.getByRole("rowheader").count()).toBe(0)
    }
  })
})
