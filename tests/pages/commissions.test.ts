import { beforeAll, expect, test } from "bun:test"
import { refund, sell, settle } from "../support/books"
import { newMember } from "../support/member"
import { newPartnerAccount } from "../support/partner-account"
import { newClick, newPartner, newProgram, type TestProgram } from "../support/program"
import { send, url } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

const HOSTILE = "<script>alert(1)</script> \u202egnp.exe"

describeInBrowser("the review of commissions", () => {
  const newVisit = useVisits()
  let program: TestProgram
  let partner: string
  beforeAll(async () => {
    program = await newProgram()
    partner = await newPartnerAccount(program)
  })

  const visit = async (context = {}) => newVisit({ session: program.session, context })
  const screen = `/commissions`
  const at = (path: string) => `/programs/${program.program_id}${path}`
  const readByPartner = async (sale_id: number) => {
    const query = `program_id=${program.program_id}&sale_id=${sale_id}`
    return (await send("GET", `/api/partner/decisions?${query}`, { token: partner })).body.data
  }

  test("approves with the keyboard alone, and says so", async () => {
    const sale = await sell(program, program.code, { amount_cents: 5_440 })
    const { page, open, troubles } = await visit()
    await open(at(`${screen}?transaction_id=${sale.transaction_id}`))
    await page.getByRole("link", { name: sale.transaction_id }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.getByText("1 selected · 16.32 USD").waitFor()
    await page.keyboard.press("a")
    await page.getByText("Done: 1 commission.").waitFor()
    await page.getByRole("cell", { name: "Approved" }).waitFor()
    expect((await readByPartner(sale.sale_id)).outcome).toBe("payable")
    expect(troubles).toEqual([])
  })

  test("rejects several with a reason, as the partner then reads it", async () => {
    const sales = [await sell(program, program.code), await sell(program, program.code)]
    const { page, open, troubles } = await visit()
    await open(at(`${screen}?status=pending`))
    for (const { transaction_id } of sales) {
      await page.getByLabel(`Select the commission of sale ${transaction_id}`).check()
    }
    await page.getByRole("button", { name: "Reject 2 commissions…" }).click()
    await page.getByLabel("Reason").fill("Own purchases.")
    const preview = await page.locator("blockquote").textContent()
    await page.getByRole("button", { name: "Reject 2 commissions", exact: true }).click()
    await page.getByText("Done: 2 commissions.").waitFor()
    for (const { sale_id } of sales) {
      expect((await readByPartner(sale_id)).sentence).toBe(preview)
    }
    expect(troubles).toEqual([])
  })

  test("shows a decision with its formula, the click that lost, and the ledger", async () => {
    const rival = await newPartner(program, { name: HOSTILE })
    const click_id = await newClick(rival)
    await newClick(program, { existing_click_id: click_id })
    const sale = await sell(program, program.code, { click_id, amount_cents: 5_440 })
    const { page, open, troubles } = await visit()
    await open(at(`/sales/${sale.sale_id}`))
    await page.getByText("54.40 × 30 % = 16.32").waitFor()
    await page.getByText("It lost: a later click won.").waitFor()
    const earner = page.getByText("Partner:").getByRole("link", { name: "Partner", exact: true })
    expect(await earner.getAttribute("href")).toBe(at(`/partners/${program.partner_id}`))
    await page.getByRole("row", { name: /Commission .*16\.32\sUSD/ }).waitFor()

    // Both sides read the same: each step of the partner stands on the advertiser's page.
    for (const { result, sentence } of (await readByPartner(sale.sale_id)).steps) {
      if (result !== "not_asked") await page.getByText(sentence).first().waitFor()
    }
    expect(troubles).toEqual([])
  })

  test("leads from a decision to the whole journey, and back to each sale", async () => {
    const sale = await sell(program, program.code, { customer_key: "customer-9" })
    const { page, open, troubles } = await visit()
    await open(at(`/sales/${sale.sale_id}`))
    await page.getByRole("link", { name: "Show the whole journey" }).click()
    await page.getByRole("heading", { name: "Journey of customer-9" }).waitFor()
    await page.getByText(`Bought for 49.99 USD (sale ${sale.transaction_id}).`).waitFor()
    await page.getByText(/^Earned 15\.00 USD: on hold until/).waitFor()
    await page.getByRole("link", { name: "Why it was or was not paid" }).click()
    await page.getByRole("heading", { name: `Sale ${sale.transaction_id}` }).waitFor()
    expect(troubles).toEqual([])
  })

  test("warns of a refund after the payment", async () => {
    const sale = await sell(program, program.code)
    await settle(program, sale.commission_id, "approve")
    await settle(program, sale.commission_id, "mark-paid")
    await refund(program, { transaction_id: sale.transaction_id })
    const { page, open } = await visit()
    await open(at(`/sales/${sale.sale_id}`))
    await page.getByText("Paid 15.00 USD; a refund afterwards took 15.00 USD off the").waitFor()
    const { body } = await send("GET", `${program.path}/attention`, { token: program.session })
    expect(body.data.refunds_after_payment.count).toBe(1)
  })

  test("shows amounts with the decimals of the books, and never adds currencies", async () => {
    const program = await newProgram()
    await sell(program, program.code, { currency: "JPY", amount_cents: 10_000 })
    await sell(program, program.code, { currency: "HUF", amount_cents: 1_234_500 })
    const { page, open } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}${screen}`)
    await page
      .getByText(/3,703\.50/)
      .first()
      .waitFor() // browsers have no decimals of HUF
    await page
      .getByText(/3,000(?!\.)/)
      .first()
      .waitFor()
    const sums = await page.getByRole("navigation", { name: "Sums by status" }).textContent()
    expect(sums).toMatch(/3,703\.50.* · .*3,000|3,000.* · .*3,703\.50/)
  })

  test("says what to do about a sale in another currency, beginning where it waits", async () => {
    const program = await newProgram({ currency: "EUR" })
    await sell(program, program.code, { currency: "EUR" })
    const sale = await sell(program, program.code) // without a currency it is in USD
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}`)
    await page.getByRole("link", { name: "1 commission in another currency" }).click()
    await page.getByRole("heading", { name: "Sales in another currency" }).waitFor()
    await page.getByText("A sale without a currency is in USD.").waitFor()

    await page.getByRole("link", { name: sale.transaction_id }).click()
    await page
      .getByRole("heading", { name: "This sale is in USD, and the program counts in EUR" })
      .waitFor()
    const call = await page.getByText("curl -X POST").textContent()
    expect(call).toContain("/api/v1/track/refund")
    expect(call).toContain(JSON.stringify({ transaction_id: sale.transaction_id }))
    expect((await refund(program, { transaction_id: sale.transaction_id })).status).toBe(200)
    await page.goto(`${url}/programs/${program.program_id}/commissions?other_currency=true`)
    await page.getByRole("cell", { name: "Reversed" }).waitFor()
    const { body } = await send("GET", `${program.path}/attention`, { token: program.session })
    expect(body.data.currency_mismatch.count).toBe(0)
    expect(troubles).toEqual([])
  })

  test("lets an analyst read, and decide nothing", async () => {
    const session = await newMember(program, "analyst")
    const sale = await sell(program, program.code)
    const { page, open } = await newVisit({ session })
    await open(at(`${screen}?transaction_id=${sale.transaction_id}`))
    await page.getByRole("link", { name: sale.transaction_id }).waitFor()
    expect(await page.getByRole("checkbox").count()).toBe(0)
    await open(at(`/sales/${sale.sale_id}`))
    await page.getByText("Earned 15.00 USD").first().waitFor()
    expect(await page.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0)
  })

  test.each([
    ["light", 1_280],
    ["dark", 1_280],
    ["light", 320],
  ] as const)("fits its page: %s, %i px", async (colorScheme, width) => {
    const customer_key = `key ${width} ${colorScheme}`
    const transaction_id = `${HOSTILE} ${width} ${colorScheme}`
    const sale = await sell(program, program.code, { transaction_id, customer_key })
    const { page, open } = await visit({ colorScheme, viewport: { width, height: 800 } })
    for (const path of [
      screen,
      `/sales/${sale.sale_id}`,
      `/customers/${encodeURIComponent(customer_key)}`,
    ]) {
      await open(at(path))
      await page.getByText("gnp.exe").first().waitFor()
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, path).toBe(0)
    }
  })
})
