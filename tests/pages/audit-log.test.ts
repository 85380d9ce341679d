import { beforeAll, expect, test } from "bun:test"
import { sell, settle } from "../support/books"
import { newKey } from "../support/key"
import { newPartner, newProgram, type TestProgram } from "../support/program"
import { send, url } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("the audit log", () => {
  const newVisit = useVisits()
  let program: TestProgram
  beforeAll(async () => {
    program = await newProgram()
    await newPartner(program)
    await send("PUT", program.path, { token: program.session, body: { name: "=1+1<i>x</i>" } })
  })

  test("is narrowed in its address, and downloaded as CSV without a formula", async () => {
    const { page, open, troubles } = await newVisit({ session: program.session })
    await open(`/workspaces/${program.workspace_id}/audit-log`)
    await page.getByRole("cell").filter({ hasText: "=1+1<i>x</i>" }).first().waitFor()
    await page.getByLabel("What was done").selectOption("program.update")
    await page.waitForURL("**action=program.update**")
    const rows = page.getByRole("rowheader")
    await page.getByText("1–1 of 1").waitFor()
    expect(await rows.count()).toBe(1)
    await page.reload()
    await page.getByText("1–1 of 1").waitFor()

    const waiting = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download as CSV" }).click()
    const download = await waiting
    const text = await Bun.file(await download.path()).text()
    expect(text.trimEnd().split("\r\n")).toHaveLength(2)
    expect(text).toContain("=1+1")
    expect(text).not.toMatch(/(^|,)"?[=+@-]/m)
    expect(troubles).toEqual([])
  })

  test("says in words what was changed, with names that lead to its pages", async () => {
    const { session: token, path, partner_id, program_id, workspace_id } = program
    await send("PUT", `${path}/partners/${partner_id}`, { token, body: { name: "Ada <b>" } })
    const group = await send("POST", `${path}/groups`, {
      token,
      body: { name: "Gold", policy: { kind: "percent", rate_bps: 1_250, hold_days: 1 } },
    })
    const body = { group_id: group.body.data.id, status: "suspended" }
    await send("PUT", `${path}/partners/${partner_id}`, { token, body })
    await send("PUT", path, { token, body: { cookie_window_days: 7, website_url: null } })
    await send("PUT", `${path}/partners/${partner_id}`, { token, body: { status: "approved" } })
    const sale = await sell(program, program.code)
    await settle(program, sale.commission_id, "reject", { reason: "Own purchase." })
    await newKey(program, { name: "Nightly", scopes: ["program:read"] })

    const { page, open, troubles } = await newVisit({ session: token })
    await open(`/workspaces/${workspace_id}/audit-log`)
    const rowOf = (action: string) => page.getByRole("row").filter({ hasText: action })
    const texts: [string, string][] = [
      ["Created a group", "Commission: 12.5 % of each sale"],
      ["Created a group", "Hold: 1 day"],
      ["Changed a partner", "Group: Gold"],
      ["Changed a partner", "Status: Suspended"],
      ["Changed a program", "Attribution window: 7 days"],
      ["Changed a program", "Website: none"],
      ["Rejected a commission", "Reason: Own purchase."],
      ["Created an API key", "Scopes: Read programs, partners, links"],
      ["Created an API key", "Programs: every program"],
    ]
    for (const [action, text] of texts) await rowOf(action).getByText(text).first().waitFor()

    const links: [string, string, string][] = [
      ["Changed a partner", "Ada <b>", `/programs/${program_id}/partners/${partner_id}`],
      ["Created a group", "Gold", `/programs/${program_id}/groups/${group.body.data.id}`],
      [
        "Rejected a commission",
        `Sale ${sale.transaction_id}`,
        `/programs/${program_id}/sales/${sale.sale_id}`,
      ],
      ["Created an API key", "Nightly", `/workspaces/${workspace_id}/api-keys`],
    ]
    for (const [action, name, href] of links) {
      const link = rowOf(action).getByRole("link", { name }).first()
      expect(await link.getAttribute("href")).toBe(href)
    }
    expect(await page.locator("td").filter({ hasText: /[{}]/ }).count()).toBe(0) // no JSON
    expect(troubles).toEqual([])
  })

  test("shows who signed in, and who downloaded it", async () => {
    const { email, password } = program
    await send("POST", "/api/auth/sign-in", { body: { email, password } })
    await send("POST", "/api/auth/sign-in", { body: { email, password: "wrong horse battery" } })
    const { page, open } = await newVisit({ session: program.session })
    await open(`/workspaces/${program.workspace_id}/audit-log`)
    for (const what of ["Wrong password", "Signed in", "Exported this log"]) {
      await page.getByRole("cell", { name: what }).waitFor()
    }
  })
})

describeInBrowser("another site", () => {
  const newVisit = useVisits()

  test("cannot change anything with a form", async () => {
    const program = await newProgram()
    const { page } = await newVisit({ session: program.session })
    const paths = [
      `/api/workspaces/${program.workspace_id}/invitations`,
      `${program.path}/regenerate-api-token`,
      "/api/workspaces",
    ]
    for (const path of paths) {
      const evil = Bun.serve({
        port: 0,
        fetch: () =>
          new Response(
            `<form method="post" enctype="text/plain" action="${url}${path}">
              <input name='{"name":"stolen","email":"evil@people.example","role":"owner","x":"' value='"}'>
            </form><script>document.forms[0].submit()</script>`,
            { headers: { "content-type": "text/html" } },
          ),
      })
      const reply = page.waitForResponse(response => response.url() === url + path)
      await page.goto(`http://evil.test:${evil.port}/`)
      expect([403, 415, 401]).toContain((await reply).status())
      await evil.stop(true)
    }
    const log = await send("GET", `/api/workspaces/${program.workspace_id}/audit-log`, {
      token: program.session,
    })
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual([
      "partner.create",
      "program.create",
    ])
  })
})
