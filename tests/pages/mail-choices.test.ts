import { expect, test } from "bun:test"
import { newEmail, newPartnerAccount } from "../support/partner-account"
import { newProgram } from "../support/program"
import { send } from "../support/world"
import { describeInBrowser, useVisits } from "./visit"

describeInBrowser("notifications by mail", () => {
  const newVisit = useVisits()

  test.each([
    [
      "a member",
      "Disabled webhooks",
      "failing_endpoint",
      async () => {
        const { session, workspace_id } = await newProgram()
        return { session, path: `/workspaces/${workspace_id}/notifications` }
      },
    ],
    [
      "a partner",
      "Payments",
      "payment",
      async () => ({
        session: await newPartnerAccount(await newProgram(), newEmail()),
        path: "/partner/notifications",
      }),
    ],
  ])("are chosen by %s", async (_who, label, kind, prepare) => {
    const { session, path } = await prepare()
    const { page, open, troubles } = await newVisit({ session })
    await open(path)
    const choice = page.getByLabel(label)
    await choice.waitFor()
    expect(await choice.inputValue()).toBe("instant")
    expect(await page.getByLabel("Sales").inputValue()).toBe("off")
    await choice.selectOption({ label: "Once a week" })
    await page.getByRole("button", { name: "Save settings" }).click()
    await page.getByText("Settings saved.").waitFor()
    await page.reload()
    await choice.waitFor()
    expect(await choice.inputValue()).toBe("weekly")
    const { body } = await send("GET", "/api/auth/notification-settings", { token: session })
    expect(body.data).toMatchObject({ [kind]: "weekly", sale: "off" })
    expect(troubles).toEqual([])
  })
})
