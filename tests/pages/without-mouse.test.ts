import { expect, test } from "bun:test"
import { newEmail } from "../support/partner-account"
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
    await type(visit, "Commission of each sale, in percent", "30")
    await page.keyboard.press("Enter")

    await page.getByRole("heading", { name: "First click, lead and sale" }).waitFor()
    const token = await page.getByText(/^aff_\w+$/).textContent()
    const link = await page.getByText(/^https:\/\/shop\.example\/\?aff=/).textContent()
    await track(link!, token!)
    await page.getByRole("heading", { name: "All three have arrived" }).waitFor()
    await tabTo(page, page.getByRole("link", { name: "Go to the overview" }))
    await page.keyboard.press("Enter")
    await page.getByText("$49.99").first().waitFor()
    expect(troubles).toEqual([])
  })
})

/** Goes to a field with Tab, and types over what it has. */
async function type({ page }: Visit, label: string, text: string) {
  await tabTo(page, page.getByLabel(label))
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
