import { expect, test } from "bun:test"
import { newOwner } from "../support/program"
import { send, url } from "../support/world"
import { describeInBrowser, useVisits, type Visit } from "./visit"

let orders = 0
const newSale = () => ({
  customer_key: "customer-42",
  transaction_id: `order-${process.pid}-${Date.now()}-${++orders}`,
  amount_cents: 4_999,
})

const post = (what: string, body: object, token?: string) =>
  send("POST", `/api/v1/track/${what}`, { body, token })

/** Makes a program through the form, and reads what the page then shows of it. */
async function makeProgram({ page, open }: Visit) {
  await open("/programs/new")
  await page.getByLabel("Name of the program").fill("Acme")
  await page.getByLabel("Your site").fill("https://shop.example")
  await page.getByLabel("Commission of each sale, in %").fill("12.5")
  await page.getByRole("button", { name: "Create the program" }).click()
  await page.getByRole("heading", { name: "First click, lead and sale" }).waitFor()
  const [, program_id] = /programs\/(\d+)\/first-run/.exec(page.url()) ?? []
  const token = await page.getByText(/^aff_\w+$/).textContent()
  const link = await page.getByText(/^https:\/\/shop\.example\/\?aff=/).textContent()
  return { program_id: Number(program_id), token: token!, link: link! }
}

const stepOf = ({ page }: Visit, step: string) => page.locator(`[data-step="${step}"]`)

describeInBrowser("a new program", () => {
  const newVisit = useVisits()

  test("is made in one form, and lights up its first click, lead and sale", async () => {
    const owner = await newOwner()
    const visit = await newVisit({ session: owner.session })
    const { page, troubles } = visit
    const { program_id, token, link } = await makeProgram(visit)

    const groups = await send("GET", `/api/advertiser/affiliate-programs/${program_id}/groups`, {
      token: owner.session,
    })
    expect(groups.body.data[0].policy).toMatchObject({ kind: "percent", rate_bps: 1_250 })
    expect(await page.getByText(`data-program-id="${program_id}"`).count()).toBe(1)
    await page.getByText("0 of 3 have arrived.").waitFor()

    const { body: clicked } = await post("click", { affiliate_url: link })
    await stepOf(visit, "pageview").getByText("arrived").waitFor()
    await post("lead", { click_id: clicked.click_id }) // no sale can name this customer by a key
    await stepOf(visit, "referrals").getByText("none with a customer_key").waitFor()
    await stepOf(visit, "referrals").getByText("waiting").waitFor()
    await page.getByText("1 of 3 have arrived.").waitFor()
    const sale = newSale()
    await post("lead", { click_id: clicked.click_id, customer_key: sale.customer_key })
    await stepOf(visit, "referrals").getByText("arrived").waitFor()
    await page.getByText("2 of 3 have arrived.").waitFor()
    expect((await post("sale", sale, token)).status).toBe(200)
    await page.getByRole("heading", { name: "All three have arrived" }).waitFor()

    await page.getByRole("link", { name: "Go to the overview" }).click()
    await page.getByRole("heading", { name: "Acme", level: 1 }).waitFor()
    await page.getByText("49.99 USD").first().waitFor()
    expect(troubles).toEqual([])
  })

  test("shows a refused call with its sentence and the fix, until it is mended", async () => {
    const owner = await newOwner()
    const visit = await newVisit({ session: owner.session })
    const { page, troubles } = visit
    const { program_id, token, link } = await makeProgram(visit)

    const sale = { ...newSale(), customer_key: "42" }
    const refused = await post("sale", sale, token)
    expect(refused.status).toBe(400)
    await page.getByText(refused.body.error).waitFor()
    await page.getByText("Send the lead before the sale, with the same customer_key").waitFor()
    await page.getByText(`transaction_id "${sale.transaction_id}"`).waitFor()
    expect(await page.getByText('customer_key "42"').count()).toBe(0) // its value is not kept
    await page.getByRole("link", { name: "Send a test" }).click()
    await page.getByRole("heading", { name: "Test console" }).waitFor()
    expect(await page.getByLabel("Call").inputValue()).toBe("sale")

    await page.goto(`${url}/programs/${program_id}/live`)
    await page.getByText("Sale: Refused").waitFor()
    const { body: clicked } = await post("click", { affiliate_url: link })
    await post("lead", { click_id: clicked.click_id, customer_key: "42" })
    expect((await post("sale", sale, token)).status).toBe(200)
    await page.getByRole("cell", { name: "49.99 USD" }).waitFor()
    expect(troubles).toEqual([])
  })
})

describeInBrowser("the program form", () => {
  const newVisit = useVisits()

  test("keeps what was typed when a rate is impossible, and says what a rate is", async () => {
    const { session } = await newOwner()
    const { page, open } = await newVisit({ session })
    await open("/programs/new")
    await page.getByLabel("Name of the program").fill("Acme")
    await page.getByLabel("Your site").fill("https://shop.example")
    await page.getByLabel("Commission of each sale, in %").fill("130")
    await page.getByRole("button", { name: "Create the program" }).click()
    await page.getByRole("alert").getByText("from 0 to 100").waitFor()
    expect(await page.getByLabel("Name of the program").inputValue()).toBe("Acme")
  })
})
