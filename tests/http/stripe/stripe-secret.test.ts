import { describe, expect, test } from "bun:test"
import { newProgram, newProgramOf, type TestProgram } from "../../support/program"
import { deliver, newStripeProgram, SIGNING_SECRET, stripeEvent } from "../../support/stripe"
import { send, sql } from "../../support/world"

const OLD_SECRET = "whsec_0000000000000000000000000000000000"

const put = ({ path, session: token }: TestProgram, stripe_signing_secret: unknown, more = {}) =>
  send("PUT", path, { token, body: { stripe_signing_secret, ...more } })

/** Sends an event signed with SIGNING_SECRET. Returns the status of the reply. */
const statusOf = async (program: TestProgram) =>
  (await deliver(program, stripeEvent("customer.created", {}))).status

const storedSecretOf = async ({ program_id }: TestProgram) => {
  const [stored] = await sql`
    select sealed
    from identity.stripe_secrets
    where program_id = ${program_id}
  `
  return stored?.sealed as string | undefined
}

const auditLogOf = async ({ program_id, workspace_id, session: token }: TestProgram) => {
  const path = `/api/workspaces/${workspace_id}/audit-log?program_id=${program_id}`
  return (await send("GET", path, { token })).body.data as { action: string; details: object }[]
}

describe("a program's stripe_signing_secret", () => {
  test("is set, replaced and cleared; each change takes effect with its reply", async () => {
    const program = await newProgram()
    expect(await statusOf(program)).toBe(404)
    expect((await put(program, OLD_SECRET)).status).toBe(200)
    expect(await statusOf(program)).toBe(400)
    expect((await put(program, SIGNING_SECRET)).status).toBe(200)
    expect(await statusOf(program)).toBe(200)
    await send("PUT", program.path, { token: program.session, body: { name: "Another" } })
    expect(await statusOf(program)).toBe(200)
    expect((await put(program, null)).status).toBe(200)
    expect(await statusOf(program)).toBe(404)
  })

  test("appears in no reply and not in the audit log, which records that it changed", async () => {
    const program = await newStripeProgram()
    const { body } = await put(program, SIGNING_SECRET, { name: "Renamed" })
    expect(body.data.name).toBe("Renamed")
    await put(program, null)
    await put(program, null)

    const { session: token, path } = program
    const shown = await send("GET", path, { token })
    const listed = await send("GET", "/api/advertiser/affiliate-programs", { token })
    const log = await auditLogOf(program)
    expect(JSON.stringify([body, shown.body, listed.body, log])).not.toContain("whsec_")
    expect(shown.body.data).not.toHaveProperty("stripe_signing_secret")
    expect(log.map(({ action }) => action).filter(action => /stripe/.test(action))).toEqual([
      "program.clear_stripe_secret",
      "program.set_stripe_secret",
    ])
    expect(log.find(({ action }) => action === "program.create")).toMatchObject({
      details: { has_stripe_secret: true },
    })
  })

  test("is encrypted differently each time, and decrypts only for its own program", async () => {
    const program = await newStripeProgram()
    const other = await newProgramOf(program, { stripe_signing_secret: SIGNING_SECRET })
    const [one, another] = [await storedSecretOf(program), await storedSecretOf(other)]
    expect(one).not.toBe(another)
    expect(Buffer.from(one!, "base64").toString("latin1")).not.toContain("whsec")

    await sql`
      update identity.stripe_secrets
      set sealed = ${another!}
      where program_id = ${program.program_id}
    `
    expect(await statusOf(program)).toBe(500)
    expect((await put(program, SIGNING_SECRET)).status).toBe(200) // it can still be replaced
    expect(await statusOf(program)).toBe(200)
  })

  test.each([
    [7],
    [""],
    ["sk_live_51H8example0000000000000000"],
    ["whsec_short"],
    ["whsec_with spaces in it, so it is not valid"],
    [`whsec_${"x".repeat(201)}`],
    [{}],
  ])("400: it is %p, and nothing changes", async secret => {
    const program = await newStripeProgram()
    const { status, body } = await put(program, secret, { name: "Changed" })
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } })
    expect(body.error).not.toContain("example")
    expect(await statusOf(program)).toBe(200)
    const shown = await send("GET", program.path, { token: program.session })
    expect(shown.body.data.name).not.toBe("Changed")
  })

  test("does not change where the rest of an update is refused", async () => {
    const [program, other] = [await newStripeProgram(), await newProgram()]
    const shown = await send("GET", other.path, { token: other.session })
    const { slug } = shown.body.data
    expect((await put(program, OLD_SECRET, { slug })).status).toBe(409)
    expect(await statusOf(program)).toBe(200)
    await send("DELETE", program.path, { token: program.session })
    expect((await put(program, null)).status).toBe(409)
    expect(await storedSecretOf(program)).toBeString()
  })
})
