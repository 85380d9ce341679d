import { beforeAll, expect, test } from "bun:test"
import { sell } from "../support/books"
import { newHistory } from "../support/history"
import { newMember } from "../support/member"
import { newPartner, newProgram, type TestProgram } from "../support/program"
import { send, sql } from "../support/world"
import { describeInBrowser, useVisits, type Visit } from "./visit"

const DAY_MS = 24 * 60 * 60 * 1_000
const DAYS = 60

let program: TestProgram
beforeAll(async () => {
  program = await newProgram({ name: "Acme" })
  const first = new Date(Date.now() - DAYS * DAY_MS).toISOString()
  await newHistory(program, { customers: 120, first, days: DAYS - 1, currencies: ["USD", "JPY"] })
  const other = await newPartner(program, { name: "Deals <b>Ltd</b>" })
  await newHistory({ ...program, ...other }, { customers: 30, first, days: DAYS - 1 })
  const { program_id } = program
  await sql`update identity.programs set created_at = ${first} where id = ${program_id}`
  while ((await api("performance", "period=7d")).meta.appliedUntil) await Bun.sleep(100)
}, 60_000)

const api = async (report: string, query: string) =>
  (
    await send("GET", `/api/tracking/${report}/${program.program_id}?${query}`, {
      token: program.session,
    })
  ).body

const decimals = (digits: number) =>
  new Intl.NumberFormat("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits })
const money = { format: (amount: number) => `${decimals(2).format(amount)}\u00a0USD` }
const count = new Intl.NumberFormat("en-GB")

/** The numbers of the tiles, by their names: full ones, where a tile shortens them. */
async function tilesOf({ page }: Visit) {
  const tiles = await page.locator(".tile").all()
  const read = tiles.map(async tile => {
    const figure = tile.locator(".figure")
    const full = (await figure.getAttribute("title")) ?? (await figure.textContent())
    return [await tile.locator("dt").textContent(), full]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The chart of the page as a table: rows of text. */
async function chartOf({ page }: Visit): Promise<string[][]> {
  const rows = await page.locator(".chart tbody tr").all()
  return Promise.all(rows.map(row => row.locator("th, td").allTextContents()))
}

const rate = (percent: number) => `${decimals(1).format(percent)}\u00a0%`

const sumOf = (rows: string[][]) =>
  rows.reduce((sum, [, text = ""]) => sum + Number(text.replace(/[^0-9.-]/g, "")), 0)

describeInBrowser("the overview", () => {
  const newVisit = useVisits()

  test("shows the numbers of the API: tiles, chart and table", async () => {
    const visit = await newVisit({ session: program.session })
    const { page, open, troubles } = visit
    for (const period of ["7d", "30d", "90d", "all"]) {
      await open(`/programs/${program.program_id}?period=${period}&metric=revenue`)
      const { data, metrics } = await api("performance", `period=${period}`)
      await page.locator(".tile").first().waitFor()
      expect({ period, ...(await tilesOf(visit)) }).toEqual({
        period,
        Clicks: count.format(metrics.totalClicks),
        Leads: count.format(metrics.totalLeads),
        "New customers": count.format(metrics.totalConversions),
        Revenue: money.format(metrics.totalRevenue),
        Commission: money.format(metrics.totalPartnersCommission),
        "Conversion rate": rate(metrics.conversionRate),
      })

      await page.getByRole("button", { name: "As table" }).click()
      await page.locator(".chart tbody tr").first().waitFor()
      const rows = await chartOf(visit)
      expect(rows).toHaveLength(data.length)
      expect(rows.map(([, text]) => text)).toEqual(
        data.map(({ revenue }: { revenue: number }) => money.format(revenue)),
      )
      expect(sumOf(rows)).toBeCloseTo(metrics.totalRevenue, 2)

      const breakdown = await api(
        "breakdown",
        `by=partner&sort=revenue&pageSize=5&period=${period}`,
      )
      const table = page.getByRole("table", { name: "The partners with the most revenue" })
      await table.getByRole("rowheader").first().waitFor()
      const shown = await table.locator("tbody td:nth-child(3)").allTextContents()
      expect(shown).toEqual(
        breakdown.data.map(({ revenue }: { revenue: number }) => money.format(revenue)),
      )
      // A share is one of the whole, not of the best partner.
      const bars = await table.locator(".bar-part").all()
      const widths = await Promise.all(bars.map(bar => bar.getAttribute("width")))
      const shares = breakdown.data.map(
        ({ revenue }: { revenue: number }) => (100 * revenue) / metrics.totalRevenue,
      )
      for (const [i, width] of widths.entries()) expect(Number(width)).toBeCloseTo(shares[i], 5)
      await table.getByText(rate(shares[0])).waitFor()
    }
    expect(troubles).toEqual([])
  })

  test("says what each line of the chart is", async () => {
    const { page, open } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}?metric=leads`)
    await page.locator(".legend").getByText("The period before").waitFor()
    const lines = await page.locator(".legend li").allTextContents()
    expect(lines).toEqual(["Leads", "The period before", "Today, unfinished"])
  })

  test("keeps period and metric in its address: reload and back", async () => {
    const { page, open } = await newVisit({ session: program.session })
    await open(`/programs/${program.program_id}`)
    await page.getByText("Compared with").waitFor()
    await page.getByLabel("Period").selectOption("Last 7 days")
    await page.waitForURL("**?period=7d")
    await page.getByLabel("Show").selectOption("Leads")
    await page.waitForURL("**metric=leads**")
    const { metrics } = await api("performance", "period=7d")
    const figure = page.locator(`.figure[title="${count.format(metrics.totalClicks)}"]`).first()
    await figure.waitFor()

    await page.reload()
    await figure.waitFor()
    expect(await page.getByLabel("Period").inputValue()).toBe("7d")
    await page.goBack()
    await page.waitForURL(/period=7d$/)
    await page.goBack()
    await page.waitForURL(new RegExp(`/programs/${program.program_id}$`))
    const before = await api("performance", "period=30d")
    const full = count.format(before.metrics.totalClicks)
    await page.locator(`.figure[title="${full}"]`).first().waitFor()
  })

  test("leads from a partner's bar to their events, and from a sale to its details", async () => {
    const shop = await newProgram()
    const customer_key = "customer/42"
    const sold = await sell(shop, shop.code, { customer_key })
    const { page, open, troubles } = await newVisit({ session: shop.session })
    await open(`/programs/${shop.program_id}`)
    await page.getByRole("table").getByRole("link", { name: "Events" }).click()
    await page.waitForURL(`**/events?partner_id=${shop.partner_id}&**`)
    await page.getByText(sold.transaction_id).waitFor()
    expect(await page.getByRole("rowheader").count()).toBe(2) // a click and a sale

    await page.getByRole("row", { name: sold.transaction_id }).getByRole("link").click()
    const dialog = page.getByRole("dialog", { name: "Sale" })
    await dialog.getByText(sold.transaction_id).waitFor()
    const journey = dialog.getByRole("link", { name: "Whole journey" })
    const path = `/programs/${shop.program_id}/customers/${encodeURIComponent(customer_key)}`
    expect(await journey.getAttribute("href")).toBe(path)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.waitForURL(url => !url.searchParams.has("event"))
    expect(troubles).toEqual([])
  })

  test("billing sees the numbers, and no events", async () => {
    const { page, open, troubles } = await newVisit({
      session: await newMember(program, "billing"),
    })
    await open(`/programs/${program.program_id}`)
    await page.locator(".tile").first().waitFor()
    expect(await page.getByRole("link", { name: "Events" }).count()).toBe(0)
    expect(await page.getByRole("heading", { name: "Top partners" }).count()).toBe(0)
    await open(`/programs/${program.program_id}/events`)
    await page.getByText("This is for: owner, admin, analyst.").waitFor()
    expect(troubles).toEqual([])
  })
})

describeInBrowser("the events", () => {
  const newVisit = useVisits()

  test("are narrowed by filters that are in the address, and downloaded as they are shown", async () => {
    const shop = await newProgram()
    const sold = await sell(shop, shop.code)
    await sell(shop, shop.code)
    const { page, open, troubles } = await newVisit({ session: shop.session })
    await open(`/programs/${shop.program_id}/events`)
    const filters = page.locator(".filter :is(input, select)")
    await filters.first().waitFor()
    const fields = await filters.all()
    const boxes = await Promise.all(fields.map(field => field.boundingBox()))
    expect(new Set(boxes.map(box => box!.height)).size).toBe(1) // dates are no higher
    await page.getByLabel("What").selectOption("Sale")
    await page.waitForURL("**?eventType=conversion")
    await page.getByText("1–2 of 2").waitFor()
    await page.getByLabel("Transaction").fill(sold.transaction_id)
    await page.getByText("1–1 of 1").waitFor()
    await page.reload()
    await page.getByText("1–1 of 1").waitFor()

    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download CSV" }).click()
    const text = await Bun.file(await (await download).path()).text()
    expect(text.split("\r\n")).toHaveLength(3)
    expect(text).toContain(sold.transaction_id)

    await page.getByLabel("Transaction").fill("no such sale")
    await page.getByRole("heading", { name: "No events match" }).waitFor()
    expect(troubles).toEqual([])
  })
})
