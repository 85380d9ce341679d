import { beforeAll, describe, expect, test } from "bun:test"
import { newSale, refund, settle } from "../../support/books"
import { eventsWrittenBy } from "../../support/outgoing-events"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const HELD = { commission: { kind: "percent", rate_bps: 1_000 } }
const DUE_WITHIN_MS = 15_000

let program: TestProgram
let group_id: number
beforeAll(async () => {
  program = await newProgram(HELD)
  const groups = await call("GET", "/groups")
  group_id = groups.body.data[0].id
})

const call = (method: string, path: string, body?: unknown) =>
  send(method, program.path + path, { token: program.session, body })
const shown = async (path: string) => (await call("GET", path)).body.data
const shownIn = async (list: string, id: number) =>
  (await shown(`/${list}?pageSize=100`)).find((row: { id: number }) => row.id === id)
const shownCommission = (id: number) => shownIn("commissions", id)
const writtenBy = (change: () => Promise<unknown>) =>
  eventsWrittenBy("commissions", program.program_id, change)

describe("a commission's outgoing events", () => {
  test("its sale is one, and the sale again is none", async () => {
    const partner = await newPartner(program)
    const sale = { transaction_id: `created-${Date.now()}-${process.pid}`, amount_cents: 1_000 }
    const { click_id } = (
      await send("POST", "/api/v1/track/click", {
        body: { affiliate_url: `https://shop.example/?aff=${partner.code}` },
      })
    ).body as { click_id: string }
    const record = () =>
      send("POST", "/api/v1/track/sale", { token: program.api_token, body: { ...sale, click_id } })

    const events = await writtenBy(record)
    const data = await shownCommission(events[0]!.data.id)
    const { partner_id } = partner
    expect(events).toEqual([{ type: "commission.created", partner_id, data, previous: null }])
    expect(data.transaction_id).toBe(sale.transaction_id)
    expect(await writtenBy(record)).toEqual([])
  })

  test("approval and payment are one each, and a repeat is none", async () => {
    const { commission_id: id, partner_id } = await newSale(program)
    const { status } = await shownCommission(id)
    for (const [step, type, previous] of [
      ["approve", "commission.approved", { status }],
      ["mark-paid", "commission.paid", { status: "approved" }],
    ] as const) {
      const events = await writtenBy(() => settle(program, id, step))
      expect(events).toEqual([{ type, partner_id, data: await shownCommission(id), previous }])
      expect(await writtenBy(() => settle(program, id, step))).toEqual([])
    }
  })

  test("approval in bulk is one of each commission", async () => {
    const sales = [await newSale(program), await newSale(program)]
    const ids = sales.map(({ commission_id }) => commission_id)
    const events = await writtenBy(() =>
      call("POST", "/commissions/bulk", { action: "approve", ids }),
    )
    expect(events.map(({ type, data }) => [type, data.id]).sort()).toEqual(
      ids.map(id => ["commission.approved", id]).sort(),
    )
  })

  test(
    "approval at the end of its hold is one",
    async () => {
      const { commission_id: id, partner_id } = await newSale(program)
      const events = await writtenBy(async () => {
        await sql`
          update commissions.commissions
          set auto_approve = true, hold_ends_at = now() - interval '1 minute'
          where id = ${id}
        `
        while ((await shownCommission(id)).status !== "approved") await Bun.sleep(100)
      })
      const previous = { status: "pending" }
      const data = await shownCommission(id)
      expect(events).toEqual([{ type: "commission.approved", partner_id, data, previous }])
    },
    DUE_WITHIN_MS,
  )

  test("rejection is one", async () => {
    const { commission_id: id, partner_id } = await newSale(program)
    const { status, net_cents } = await shownCommission(id)
    const events = await writtenBy(() => settle(program, id, "reject"))
    const previous = { status, rejection_reason: null, net_cents }
    const data = await shownCommission(id)
    expect(events).toEqual([{ type: "commission.rejected", partner_id, data, previous }])
  })

  test("a refund is its own and the commission's, and the refund again is none", async () => {
    for (const isPaid of [false, true]) {
      const { commission_id: id, sale_id, partner_id, transaction_id } = await newSale(program)
      if (isPaid) await settle(program, id, "approve")
      if (isPaid) await settle(program, id, "mark-paid")
      const body = {
        transaction_id,
        refund_amount_cents: 1_000,
        refund_id: `r-${id}`,
        refund_reason: "Late",
      }
      const before = await shownCommission(id)
      const [recorded, changed, ...others] = await writtenBy(() => refund(program, body))
      expect(others).toEqual([])
      expect(recorded).toEqual({
        type: "refund.recorded",
        partner_id,
        data: {
          id: expect.any(Number),
          sale_id,
          transaction_id,
          commission_id: id,
          refund_amount_cents: 1_000,
          refund_reason: "Late",
          created_at: expect.stringMatching(/^2\d{3}-.*Z$/),
        },
        previous: null,
      })
      const data = await shownCommission(id)
      const { status, refund_reason, refunded_cents, net_cents } = before
      const previous = { status, refund_reason, refunded_cents, net_cents }
      expect(changed).toEqual({ type: `commission.${data.status}`, partner_id, data, previous })
      expect(await writtenBy(() => refund(program, body))).toEqual([])
    }
  })

  test("a refund that takes nothing back is none", async () => {
    const { commission_id, transaction_id } = await newSale(program)
    await settle(program, commission_id, "reject")
    expect(await writtenBy(() => refund(program, { transaction_id }))).toEqual([])
  })
})

describe("a partner's outgoing events", () => {
  test("a new partner is approved", async () => {
    const events = await writtenBy(() => newPartner(program))
    const partner_id = events[0]!.partner_id
    const data = await shown(`/partners/${partner_id}`)
    expect(events).toMatchObject([{ type: "partner.approved", partner_id, previous: null }])
    expect(data).toMatchObject({ ...events[0]!.data })
  })

  test("each new status is one, and the same again is none", async () => {
    const { partner_id } = await newPartner(program)
    const put = (status: string) => () => call("PUT", `/partners/${partner_id}`, { status })
    const suspended = await writtenBy(put("suspended"))
    expect(suspended).toMatchObject([
      { type: "partner.suspended", partner_id, previous: { status: "approved" } },
    ])
    expect(await writtenBy(put("suspended"))).toEqual([])
    expect(await writtenBy(put("approved"))).toMatchObject([
      { type: "partner.approved", partner_id, previous: { status: "suspended" } },
    ])
    expect(await writtenBy(put("removed"))).toMatchObject([
      { type: "partner.removed", partner_id, previous: { status: "approved" } },
    ])
  })
})

describe("a policy's outgoing events", () => {
  const policy = { kind: "percent", rate_bps: 2_000 }

  test("a further version shows the group", async () => {
    const before = await shownIn("groups", group_id)
    const events = await writtenBy(() => call("PUT", `/groups/${group_id}`, { policy }))
    const data = await shownIn("groups", group_id)
    expect(events).toMatchObject([{ type: "policy.updated", partner_id: null, data }])
    expect(events[0]!.previous).toEqual({ policy: before.policy })
  })

  test("another name is none", async () => {
    const rename = () => call("PUT", `/groups/${group_id}`, { name: `Renamed ${Date.now()}` })
    expect(await writtenBy(rename)).toEqual([])
  })
})
