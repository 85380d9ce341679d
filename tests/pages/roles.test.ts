import { beforeAll, expect, test } from "bun:test"
import { newMemberOnly } from "../support/member"
import { newProgram, type TestProgram } from "../support/program"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("roles", () => {
  const newVisit = useVisits()
  let program: TestProgram
  const sessions: Record<string, string> = {}
  beforeAll(async () => {
    program = await newProgram()
    for (const role of ["admin", "analyst", "billing"]) {
      sessions[role] = await newMemberOnly(program, role)
    }
    sessions.owner = program.session
  })

  const TITLES = [
    "Settings",
    "Branding and terms",
    "Notifications",
    "API keys",
    "Webhooks",
    "Members",
    "Audit log",
    "Workspaces",
  ]
  const pathOf: Record<string, () => string> = {
    Settings: () => `/programs/${program.program_id}/settings`,
    "Branding and terms": () => `/programs/${program.program_id}/branding`,
    "API keys": () => `/workspaces/${program.workspace_id}/api-keys`,
    Webhooks: () => `/workspaces/${program.workspace_id}/webhooks`,
    Members: () => `/workspaces/${program.workspace_id}/members`,
    "Audit log": () => `/workspaces/${program.workspace_id}/audit-log`,
  }

  test.each([
    ["owner", TITLES, []],
    ["admin", TITLES, []],
    [
      "analyst",
      ["Notifications", "Members", "Workspaces"],
      ["Settings", "Branding and terms", "API keys", "Webhooks", "Audit log"],
    ],
    [
      "billing",
      ["Notifications", "Workspaces"],
      ["Settings", "Branding and terms", "API keys", "Webhooks", "Members", "Audit log"],
    ],
  ])("%s sees its screens in the menu, and no more", async (role, seen, unseen) => {
    const { page, open, troubles } = await newVisit({ session: sessions[role] })
    await open(`/programs/${program.program_id}/settings`)
    const menu = page.getByRole("navigation", { name: "Menu" })
    for (const title of seen) await menu.getByRole("link", { name: title }).waitFor()
    const links = await menu.getByRole("link").allTextContents()
    expect(links.filter(title => TITLES.includes(title))).toEqual(seen)

    for (const title of unseen) {
      await open(pathOf[title]!())
      await page.getByRole("heading", { name: "Your role does not include this" }).waitFor()
      await page.getByText(/^This is for: owner, admin/).waitFor()
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
    }
    expect(troubles.filter(trouble => !trouble.includes("status of 403"))).toEqual([])
  })
})
