import { beforeAll, expect, test } from "bun:test"
import { newProgram, newProgramOf, type TestProgram } from "../support/program"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("the list of programs", () => {
  const newVisit = useVisits()
  let first: TestProgram
  beforeAll(async () => {
    first = await newProgram({ name: "First <b>shop</b>" })
    await newProgramOf(first, { name: "Second shop" })
  })

  test("is where a person with several programs arrives, and shows each by its name", async () => {
    const { page, open, troubles } = await newVisit({ session: first.session })
    await open("/")
    await page.waitForURL("**/programs")
    await page.getByRole("heading", { name: "Programs", level: 1 }).waitFor()
    const names = page.getByRole("rowheader")
    await names.first().waitFor()
    expect((await names.allTextContents()).toSorted()).toEqual(["First <b>shop</b>", "Second shop"])
    expect(troubles).toEqual([])
  })
})
