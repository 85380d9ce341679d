import { beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { newMember } from "../support/member"
import { newPartnerAccount } from "../support/partner-account"
import { newPostback, OWN_POSTBACKS, programPostbacks } from "../support/postback"
import { newProgram, type TestProgram } from "../support/program"
import { TRACKER } from "../support/receiver"
import { send } from "../support/world"
import { prepareAxe } from "./checks"
import { inspect, onlyFilled } from "./inspect"
import { describeInBrowser, useVisits } from "./visit"

const PASTED = "https://127.66.0.1/postback?cid=REPLACE&keep=1"

describeInBrowser("postbacks", () => {
  const newVisit = useVisits()
  let program: TestProgram
  let partner: string
  beforeAll(async () => {
    program = await newProgram({ name: "Acme shop" })
    partner = await newPartnerAccount(program)
  })
  const listed = async () => (await send("GET", OWN_POSTBACKS, { token: partner })).body.data
  const preview = (page: Page) => page.getByRole("region", { name: "What will be called" })

  test("a partner builds one for a tracker, and sees what will be called", async () => {
    const { page, open, troubles } = await newVisit({ session: partner })
    await open("/partner/postbacks")
    await page.getByRole("heading", { name: "No postbacks yet" }).waitFor()
    await page.getByRole("link", { name: "Create a postback" }).first().click()
    await page.getByRole("heading", { level: 1, name: "New postback" }).waitFor()

    await page.getByLabel("Address", { exact: true }).fill(PASTED)
    await page.getByRole("button", { name: "Voluum" }).click()
    const template =
      "https://127.66.0.1/postback?keep=1&cid={partner_click_id}&payout={payout}&txid={commission_id}&et={event}"
    expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe(template)
    await preview(page)
      .getByText(
        "GET https://127.66.0.1/postback?keep=1&cid=test-click&payout=15.00&txid=501&et=sale",
      )
      .waitFor()
    await preview(page).getByLabel("For").selectOption("A lead was recorded")
    await preview(page).getByText("payout=&txid=&et=lead").waitFor()

    await page.getByLabel("Program", { exact: true }).selectOption("Acme shop")
    await page.getByLabel("A lead was recorded").check()
    await page.getByRole("button", { name: "Create the postback" }).click()
    await page.getByRole("heading", { level: 1, name: "127.66.0.1" }).waitFor()
    expect(await listed()).toMatchObject([
      {
        url: template,
        method: "GET",
        body: null,
        dialect: "tributary",
        events: ["sale", "lead"],
        program_id: program.program_id,
        status: "enabled",
      },
    ])

    await page.getByRole("button", { name: "Disable" }).click()
    await page.getByText("Disabled", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete the postback" }).click()
    await page.getByRole("heading", { name: "No postbacks yet" }).waitFor()
    expect(await listed()).toEqual([])
    expect(troubles.filter(trouble => !trouble.includes("status of 404"))).toEqual([])
  })

  test("macros are put where the cursor is, in the address and in a body", async () => {
    const { page, open, troubles } = await newVisit({ session: partner })
    await open("/partner/postbacks/new")
    const address = page.getByLabel("Address", { exact: true })
    await address.fill("https://127.66.0.1/p?a=&b=")
    await address.evaluate(field => (field as HTMLTextAreaElement).setSelectionRange(23, 23))
    await page.getByRole("button", { name: "{sub1}" }).click()
    expect(await address.inputValue()).toBe("https://127.66.0.1/p?a={sub1}&b=")
    await page.keyboard.type("-x")
    expect(await address.inputValue()).toBe("https://127.66.0.1/p?a={sub1}-x&b=")

    await page.getByLabel("Method").selectOption("POST: with a body")
    await page.getByLabel("Body").selectOption("JSON")
    await page.getByLabel("Template of the body").fill('{"sum": }')
    await page.keyboard.press("ArrowLeft")
    await page.getByRole("button", { name: "{payout}" }).click()
    expect(await page.getByLabel("Template of the body").inputValue()).toBe('{"sum": {payout}}')
    await preview(page).getByText('{"sum": 15.00}').waitFor()
    await preview(page).getByText("POST https://127.66.0.1/p?a=test-sub1-x&b=").waitFor()
    expect(troubles).toEqual([])
  })

  test("dialects change what macros mean, and unknown ones are refused with the sentence", async () => {
    const { page, open } = await newVisit({ session: partner })
    await open("/partner/postbacks/new")
    const address = page.getByLabel("Address", { exact: true })
    await address.fill("https://127.66.0.1/p?t={transaction_id}&s={status}")
    await preview(page).getByText("t=&s=pending").waitFor()
    await page.getByLabel("Dialect").selectOption("Everflow")
    await page.getByText("{transaction_id} is {click_ref}").waitFor()
    await preview(page).getByText("t=test-click-ref&s=pending").waitFor()
    expect(await page.getByRole("button", { name: "{order_id}" }).count()).toBe(1)
    await page.getByLabel("Dialect").selectOption("Affise")
    await preview(page).getByText("t=&s=2").waitFor()

    await address.fill("https://127.66.0.1/p?x={nothing}")
    await preview(page).getByText("No macro is called {nothing}.").waitFor()
    await page.getByRole("button", { name: "Create the postback" }).click()
    await page.getByRole("alert").getByText("unknown macro").waitFor()
    expect(await address.inputValue()).toBe("https://127.66.0.1/p?x={nothing}")
    expect(await listed()).toEqual([])
  })

  test("the builder of a new one is accessible and keeps its layout", async () => {
    const { page, open } = await newVisit({ session: partner })
    await prepareAxe(page)
    await open("/partner/postbacks/new")
    await page.getByLabel("Address", { exact: true }).fill(`${TRACKER}&long=${"x".repeat(300)}`)
    await page.getByLabel("Method").selectOption("POST: with a body")
    await page.getByLabel("Body").selectOption("Form")
    await preview(page).waitFor()
    expect(onlyFilled(await inspect(page))).toEqual({})
  })

  test("an advertiser changes one of the program, and an analyst only reads it", async () => {
    const id = await newPostback(programPostbacks(program), program.session)
    const path = `/programs/${program.program_id}/postbacks`
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(path)
    await page.getByRole("link", { name: TRACKER }).click()
    await page.getByRole("button", { name: "{transaction_id}" }).waitFor()
    await page
      .getByLabel("Address", { exact: true })
      .fill("https://127.66.0.1/p?t={transaction_id}")
    await preview(page).getByText("t=test-order").waitFor()
    await page.getByRole("button", { name: "Save the postback" }).click()
    await page.getByText("Saved. This applies to").waitFor()
    expect(troubles).toEqual([])

    const analyst = await newVisit({ session: await newMember(program, "analyst") })
    await analyst.open(`${path}/${id}`)
    await analyst.page.getByText("GET https://127.66.0.1/p?t={transaction_id}").waitFor()
    expect(await analyst.page.getByRole("button", { name: /Save|Delete|Disable/ }).count()).toBe(0)
  })
})
