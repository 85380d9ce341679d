import { expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { sell } from "../support/books"
import { newEmail, newPartnerAccount } from "../support/partner-account"
import { newProgram } from "../support/program"
import { send } from "../support/world"
import { tabTo } from "./keyboard"
import { describeInBrowser, useVisits, type Visit } from "./visit"

describeInBrowser("without a mouse", () => {
  const newVisit = useVisits()

  test("a person signs up, makes a program, and sees its first click, lead and sale", async () => {
    const visit = await newVisit()
    const { page, open, troubles } = visit
    await open("/sign-up")
    await type(visit, "Your name", "Ada")
    await type(visit, "E-mail address", newEmail())
    await type(visit, "Password", "correct horse battery")
    await page.keyboard.press("Enter")

    await tabTo(page, page.getByRole("link", { name: "Create a program" }).first())
    await page.keyboard.press("Enter")
    await type(visit, "Name of the program", "Acme")
    await type(visit, "Your site", "https://shop.example")
    await type(visit, "Commission of each sale, in %", "30")
    await page.keyboard.press("Enter")

    await page.getByRole("heading", { name: "First click, lead and sale" }).waitFor()
    const token = await page.getByText(/^aff_\w+$/).textContent()
    const link = await page.getByText(/^https:\/\/shop\.example\/\?aff=/).textContent()
    await track(link!, token!)
    await page.getByRole("heading", { name: "All three have arrived" }).waitFor()
    await tabTo(page, page.getByRole("link", { name: "Go to the overview" }))
    await page.keyboard.press("Enter")
    await page.getByText("49.99 USD").first().waitFor()
    expect(troubles).toEqual([])
  })

  test("a partner is added and invited, and accepts", async () => {
    const program = await newProgram()
    const advertiser = await newVisit({ session: program.session })
    const { page, open, troubles } = advertiser
    await open(`/programs/${program.program_id}/partners`)
    await press(advertiser, page.getByRole("button", { name: "Add a partner" }))
    const dialog = page.getByRole("dialog")
    await dialog.waitFor()
    await type(advertiser, "Name", "Ada Lovelace", dialog)
    await type(advertiser, "E-mail address", newEmail(), dialog)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Ada Lovelace", level: 1 }).waitFor()
    await press(advertiser, page.getByRole("button", { name: "Invite", exact: true }))
    const invitation = await dialog.locator("code").textContent()
    await page.keyboard.press("Escape")
    await page.getByText("Invited. The invitation is open").waitFor()

    const partner = await newVisit()
    await partner.page.goto(invitation!)
    await type(partner, "Password", "correct horse battery")
    await partner.page.keyboard.press("Enter")
    await partner.page.waitForURL(url => url.pathname !== "/invitation")
    await page.reload()
    await page.getByText("Has an account in the partner portal.").waitFor()
    expect([...troubles, ...partner.troubles]).toEqual([])
  })

  test("commissions are approved and rejected, and the partner reads the reason", async () => {
    const program = await newProgram()
    const session = await newPartnerAccount(program)
    const sales = [await sell(program, program.code), await sell(program, program.code)]
    const advertiser = await newVisit({ session: program.session })
    const { page, open, troubles } = advertiser
    await open(`/programs/${program.program_id}/commissions?status=pending`)
    await page.getByRole("link", { name: sales[0]!.transaction_id }).waitFor()
    await page.keyboard.press("j") // the newest one
    await page.keyboard.press("x")
    await page.getByText("1 selected").waitFor()
    await page.keyboard.press("a")
    await page.getByText("Done: 1 commission.").waitFor()
    await page.getByRole("link", { name: sales[1]!.transaction_id }).waitFor({ state: "detached" })
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.getByText("1 selected").waitFor()
    await page.keyboard.press("r")
    await type(advertiser, "Reason", "An own purchase.")
    const deed = page.getByRole("dialog").getByRole("button", { name: "Reject 1 commission" })
    await press(advertiser, deed)
    await page.getByRole("dialog").waitFor({ state: "detached" })

    const partner = await newVisit({ session })
    await partner.open("/partner/notifications")
    await partner.page.getByText("An own purchase.").first().waitFor()
    expect([...troubles, ...partner.troubles]).toEqual([])
  })
})

/** Goes to a button with Tab, and presses it. */
async function press({ page }: Visit, button: Locator) {
  await tabTo(page, button)
  await page.keyboard.press("Enter")
}

/** Goes to a field with Tab, and types over what it has. */
async function type({ page }: Visit, label: string, text: string, within: Page | Locator = page) {
  await tabTo(page, within.getByLabel(label, { exact: true }))
  await page.keyboard.press("Control+a")
  await page.keyboard.type(text)
}

/** What the shop sends: a click, the lead and the sale of one customer. */
async function track(affiliate_url: string, token: string) {
  const { body: clicked } = await send("POST", "/api/v1/track/click", { body: { affiliate_url } })
  const lead = { click_id: clicked.click_id, customer_key: "customer-42" }
  await send("POST", "/api/v1/track/lead", { body: lead })
  const sale = { ...lead, transaction_id: `without-mouse-${process.pid}`, amount_cents: 4_999 }
  const sold = await send("POST", "/api/v1/track/sale", { token, body: sale })
  expect(sold.status).toBe(200)
}
