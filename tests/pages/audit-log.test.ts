import { beforeAll, expect, test } from "bun:test"
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
    await page.getByRole("cell").filter({ hasText: "=1+1<i>x</i>" }).waitFor()
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
