import { afterAll, beforeAll, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { type DeliverySystem, type Endpoint, launchWithReceiver } from "../support/delivery-system"
import { prepareAxe } from "./checks"
import { inspect, onlyFilled } from "./inspect"
import { describeInBrowser, useVisits } from "./visit"

type Workspace = Awaited<ReturnType<DeliverySystem["newWorkspace"]>>

describeInBrowser("a webhook", () => {
  const newVisit = useVisits()
  let system: DeliverySystem
  let workspace: Workspace
  beforeAll(async () => {
    system = await launchWithReceiver()
    workspace = await system.newWorkspace()
  }, 60_000)
  afterAll(async () => {
    await system?.stop()
    system?.receiver.stop()
  })

  const visit = () => newVisit({ session: workspace.session, at: system.url })
  const pathOf = ({ id }: Endpoint) => `/workspaces/${workspace.workspace_id}/webhooks/${id}`
  const newEndpoint = (path: string, fields: object = {}) =>
    workspace.newEndpoint(system.receiver.url(path), fields)

  test("is found in the list, and its test shows what the receiver answered", async () => {
    const endpoint = await newEndpoint("tested", { events: ["lead.created"] })
    system.receiver.answer("tested", () => new Response("<b>no</b>", { status: 503 }))
    const { page, open, troubles } = await visit()
    await open(`/workspaces/${workspace.workspace_id}/webhooks`)
    await page.getByRole("link", { name: system.receiver.url("tested") }).click()
    await page.getByRole("heading", { level: 1, name: /^127\.66\.0\.1/ }).waitFor()
    await page.getByRole("heading", { name: "No deliveries yet" }).waitFor()

    await page.getByLabel("Event").first().selectOption("A sale was recorded")
    await page.getByRole("button", { name: "Send the test" }).click()
    await page.getByText("Not accepted.").waitFor()
    await page.getByRole("link", { name: "Show the request and the answer" }).click()

    const dialog = page.getByRole("dialog", { name: "Delivery" })
    await dialog.getByText("<b>no</b>").waitFor()
    const [received] = system.receiver.received("tested")
    await dialog.getByText(received!.body, { exact: true }).waitFor()
    await dialog.getByText("Signed headers").click()
    const signed = (await dialog.getByText("webhook-signature:").textContent())!
    const headers = Object.fromEntries(signed.split("\n").map(line => line.split(": ")))
    expect(new Webhook(endpoint.secret).verify(received!.body, headers)).toMatchObject({
      type: "sale.recorded",
    })

    await page.reload()
    await dialog.getByText(`503 after`).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    const row = page.getByRole("row").filter({ hasText: "A sale was recorded" })
    await row.getByText("Failed").waitFor()
    expect(troubles).toEqual([])
  })

  test("shows each attempt as the API does, and sends what failed again", async () => {
    const endpoint = await newEndpoint("flaky", { events: ["program.updated"] })
    system.receiver.answer("flaky", () => new Response("away", { status: 500 }))
    await workspace.happen()
    const [failed] = await workspace.settled(endpoint, 1)
    const { page, open, troubles } = await visit()
    await open(pathOf(endpoint))
    const row = page.getByRole("row").filter({ hasText: "A program was changed" })
    await row.getByText("Failed").waitFor()
    expect(await row.getByRole("cell", { name: "3", exact: true }).count()).toBe(1)

    await row.getByRole("link").click()
    const dialog = page.getByRole("dialog", { name: "Delivery" })
    for (const [i, { latency_ms }] of failed.attempts.entries()) {
      const attempt = dialog.getByRole("listitem").nth(i)
      await attempt.getByRole("heading", { name: `Attempt ${i + 1}` }).waitFor()
      await attempt.getByText(`500 after ${latency_ms} ms`).waitFor()
      await attempt.getByText("away").waitFor()
    }
    await prepareAxe(page)
    await page.reload()
    await dialog.getByText("Attempt 3").waitFor()
    expect(onlyFilled(await inspect(page))).toEqual({})

    system.receiver.answer("flaky", () => new Response("ok"))
    await dialog.getByRole("button", { name: "Send it again" }).click()
    await page.getByText("1 delivery is queued again.").waitFor()
    await dialog.getByText("Delivered").waitFor()
    await dialog.getByText("Attempt 4").waitFor()
    const bodies = system.receiver.received("flaky").map(({ body }) => body)
    expect(new Set(bodies).size).toBe(1)
    expect(troubles).toEqual([])
  })

  test("sends those of some days again, and lists them by state and event", async () => {
    const endpoint = await newEndpoint("many", { events: ["program.updated"] })
    system.receiver.answer("many", () => new Response("", { status: 500 }))
    await workspace.happen()
    await workspace.happen()
    await workspace.settled(endpoint, 2)
    system.receiver.answer("many", () => new Response("ok"))

    const { page, open, troubles } = await visit()
    await open(pathOf(endpoint))
    const rows = page.getByRole("row").filter({ hasText: "A program was changed" })
    await rows.nth(1).waitFor()
    await page.getByRole("button", { name: "Send again…" }).click()
    const dialog = page.getByRole("dialog", { name: "Send deliveries again" })
    await prepareAxe(page)
    await dialog.getByRole("button", { name: "Send them again" }).click()
    await page.getByText("2 deliveries are queued again.").waitFor()
    await rows.filter({ hasText: "Delivered" }).nth(1).waitFor()

    await page.getByRole("search").getByLabel("Status").selectOption("Failed")
    await page.getByRole("heading", { name: "No delivery matches" }).waitFor()
    expect(new URL(page.url()).searchParams.get("status")).toBe("failed")
    await page.getByRole("search").getByLabel("Status").selectOption("Delivered")
    await rows.nth(1).waitFor()
    await page.getByRole("search").getByLabel("Event").selectOption("A lead was recorded")
    await page.getByRole("heading", { name: "No delivery matches" }).waitFor()
    expect(troubles).toEqual([])
  })

  test("says why nothing can be sent again, and leads back to the list once it is deleted", async () => {
    const endpoint = await newEndpoint("disabled", { events: ["program.updated"] })
    await workspace.happen()
    await workspace.settled(endpoint, 1)
    await workspace.call("POST", `/${endpoint.id}/disable`)
    const { page, open } = await visit()
    await open(pathOf(endpoint))
    await page.getByRole("row").getByRole("link").click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Send it again" }).click()
    await dialog.getByRole("alert").getByText("The endpoint is disabled.").waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()

    await page.getByRole("button", { name: /^Delete/ }).click()
    await dialog.getByRole("button", { name: "Delete the webhook" }).click()
    await page.waitForURL(`**/workspaces/${workspace.workspace_id}/webhooks`)
  })
})
