import { beforeAll, describe, expect, test } from "bun:test"
import {
  newClick,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram // last_click, 60 days
let ann: { code: string; partner_id: number }
let bea: { code: string; partner_id: number }
beforeAll(async () => {
  program = await newProgram()
  ann = program
  bea = await newPartner(program)
})

let count = 0
async function sell(click_id: string, fields: object = {}, at = program) {
  const transaction_id = `a-${process.pid}-${Date.now()}-${++count}`
  const { status, body } = await send("POST", "/api/v1/track/sale", {
    token: at.api_token,
    body: { transaction_id, amount_cents: 10_000, click_id, ...fields },
  })
  return { status, transaction_id, ...body }
}

const change = (path: string, fields: object, at = program) =>
  send("PUT", `${at.path}${path}`, { token: at.session, body: fields })

/** Returns the partner that a sale was attributed to; null if it earned no commission. */
async function earnerOf({ sale_id }: { sale_id: number }): Promise<number | null> {
  const [sale] = await sql`
    select commission_id, partner_id
    from tracking.affiliate_sale_events
    where id = ${sale_id}
  `
  return sale?.commission_id ? sale.partner_id : null
}

/** Makes a customer's attributing click some days older. */
const passDays = (days: number, click_id: string) => sql`
  update tracking.customers
  set attributed_at = attributed_at - ${days}::int * interval '1 day'
  where click_id = ${click_id}
`

const clickAgain = (click_id: string, partner: { code: string }) =>
  newClick(partner, { existing_click_id: click_id })

describe.each([
  ["last_click", "the newer click", () => bea],
  ["first_click", "the first click", () => ann],
])("under %s", (attribution_model, whose, winner) => {
  beforeAll(() => change("", { attribution_model }))

  test(`inside the window ${whose} gets the sale`, async () => {
    const click_id = await newClick(ann)
    expect(await clickAgain(click_id, bea)).toBe(click_id)
    expect(await earnerOf(await sell(click_id))).toBe(winner().partner_id)
  })

  test("after the first conversion the customer stays with its partner", async () => {
    const click_id = await newClick(ann)
    await sell(click_id)
    await clickAgain(click_id, bea)
    expect(await earnerOf(await sell(click_id))).toBe(ann.partner_id)
  })

  test("after the window a new click takes the customer over", async () => {
    const click_id = await newClick(ann)
    await passDays(61, click_id)
    await clickAgain(click_id, bea)
    expect(await earnerOf(await sell(click_id))).toBe(bea.partner_id)
  })

  test("after the window a new click takes over even a settled customer", async () => {
    const click_id = await newClick(ann)
    await sell(click_id)
    await passDays(61, click_id)
    await clickAgain(click_id, bea)
    expect(await earnerOf(await sell(click_id))).toBe(bea.partner_id)
  })

  test("on the last day of the window a sale earns, a day later it does not", async () => {
    const click_id = await newClick(ann)
    await passDays(59, click_id)
    expect(await earnerOf(await sell(click_id))).toBe(ann.partner_id)
    await passDays(2, click_id)
    expect(await earnerOf(await sell(click_id))).toBeNull()
  })

  test("a lead after the window does not renew it", async () => {
    const click_id = await newClick(ann)
    await passDays(61, click_id)
    const lead = await send("POST", "/api/v1/track/lead", { body: { click_id } })
    expect(lead.status).toBe(200)
    expect(await earnerOf(await sell(click_id))).toBeNull()
  })
})

describe("an expired window", () => {
  test("is reported with its figures, and the customer still converts", async () => {
    const click_id = await newClick(ann)
    await passDays(75, click_id)
    const { status, transaction_id, ...body } = await sell(click_id)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        sale_id: expect.any(Number),
        commission_id: null,
        attributed: false,
        reason: "attribution_window_expired",
        click_age_days: 75,
        window_days: 60,
        message: expect.stringContaining("window"),
      },
    })
    const [customer] = await sql`
      select customer_status, is_settled
      from tracking.customers
      where click_id = ${click_id}
    `
    expect(customer).toMatchObject({ customer_status: "conversion", is_settled: false })
    expect((await sell(click_id, { transaction_id })).status).toBe(409)
  })

  test("is the one at the time of the click, even if the program changes it later", async () => {
    const click_id = await newClick(ann)
    await change("", { cookie_window_days: 7 })
    await passDays(30, click_id)
    const recent = await newClick(ann)
    await passDays(8, recent)
    await change("", { cookie_window_days: 60 })

    expect(await earnerOf(await sell(click_id))).toBe(ann.partner_id)
    expect(await earnerOf(await sell(recent))).toBeNull()
  })
})

describe("across customers", () => {
  test("another program's click_id is not reused", async () => {
    const other = await newProgram()
    const click_id = await newClick(ann)
    expect(await clickAgain(click_id, other)).not.toBe(click_id)
    expect(await earnerOf(await sell(click_id))).toBe(ann.partner_id)
  })

  test("an unknown click_id is not reused", async () => {
    expect(await clickAgain("clk_madeup", ann)).not.toBe("clk_madeup")
  })

  test("a customer_key carries attribution to another browser", async () => {
    const phone = await newClick(ann)
    const fields = { click_id: phone, customer_key: `device ${phone}` }
    await send("POST", "/api/v1/track/lead", { token: program.api_token, body: fields })
    const desktop = await newClick(bea)
    const sale = await sell(desktop, { customer_key: fields.customer_key })
    expect(await earnerOf(sale)).toBe(ann.partner_id)
  })

  test("a browser that claims a key does not get the sale of its owner", async () => {
    const [thief, owner] = [await newClick(bea), await newClick(ann)]
    const customer_key = `claimed ${owner}`
    await send("POST", "/api/v1/track/lead", { body: { click_id: thief, customer_key } })
    expect(await earnerOf(await sell(owner, { customer_key }))).toBe(ann.partner_id)
    expect(await earnerOf(await sell(owner, { customer_key, click_id: undefined }))).toBe(
      ann.partner_id,
    )
  })

  test("customers who share a browser have the same partner", async () => {
    const click_id = await newClick(ann)
    await sell(click_id, { customer_key: `first ${click_id}` })
    const second = await sell(click_id, { customer_key: `second ${click_id}` })
    expect(await earnerOf(second)).toBe(ann.partner_id)
  })
})

describe("renewals", () => {
  const monthly = (subscription_id: string) => ({
    is_recurring: true,
    sale_type: "subscription",
    subscription_interval: "monthly",
    subscription_id,
  })

  test("go to the partner of the subscription's first sale, window or not", async () => {
    const click_id = await newClick(ann)
    await sell(click_id, monthly(click_id))
    await passDays(400, click_id)
    await clickAgain(click_id, bea) // a new click, and a new attribution

    expect(await earnerOf(await sell(click_id, monthly(click_id)))).toBe(ann.partner_id)
    expect(await earnerOf(await sell(click_id))).toBe(bea.partner_id)
  })

  test("do not settle the attribution of a newer click", async () => {
    await change("", { attribution_model: "last_click" })
    const carl = await newPartner(program)
    const click_id = await newClick(ann)
    await sell(click_id, monthly(click_id))
    await passDays(61, click_id)
    await clickAgain(click_id, bea)
    await sell(click_id, monthly(click_id)) // ann's; it does not settle bea's click
    await clickAgain(click_id, carl)
    expect(await earnerOf(await sell(click_id))).toBe(carl.partner_id)
  })

  test("of a subscription without attribution follow the window", async () => {
    const click_id = await newClick(ann)
    await passDays(61, click_id)
    expect(await earnerOf(await sell(click_id, monthly(click_id)))).toBeNull()
    expect(await sell(click_id, monthly(click_id))).toMatchObject({
      reason: "attribution_window_expired",
    })
  })

  test("without a subscription_id are ordinary sales", async () => {
    const click_id = await newClick(ann)
    await sell(click_id, { is_recurring: true })
    await passDays(61, click_id)
    expect(await sell(click_id, { is_recurring: true })).toMatchObject({
      reason: "attribution_window_expired",
    })
  })

  test.each([
    [0, 0, false], // the first payment only
    [12, 360, true],
    [12, 370, false],
    [null, 4_000, true], // for a lifetime
  ])(
    "with a duration of %p months, %p days later: earns %p",
    async (duration_months, days, earns) => {
      const shop = await newProgramOf(program, {
        commission: { kind: "percent", rate_bps: 1_000, duration_months },
      })
      const click_id = await newClick(shop)
      const first = await sell(click_id, monthly(click_id), shop)
      expect(first.commission_id).toBeNumber()
      await sql`
      update tracking.affiliate_sale_events
      set sale_date = sale_date - ${days}::int * interval '1 day'
      where id = ${first.sale_id}
    `
      await sql`
      update commissions.commissions
      set sale_date = sale_date - ${days}::int * interval '1 day'
      where id = ${first.commission_id}
    `
      const renewal = await sell(click_id, monthly(click_id), shop)
      if (earns) expect(renewal.commission_id).toBeNumber()
      else
        expect(renewal).toMatchObject({ commission_id: null, reason: "commission_duration_ended" })
    },
  )
})

describe("inactive partners and programs", () => {
  test("a suspended partner gets no new clicks, but still gets sales of earlier ones", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    await change(`/partners/${partner.partner_id}`, { status: "suspended" })

    expect(await newClick(partner)).toBeUndefined()
    expect(await earnerOf(await sell(click_id))).toBe(partner.partner_id)
  })

  test("a removed partner gets neither sales nor clicks", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    await change(`/partners/${partner.partner_id}`, { status: "removed" })

    expect((await sell(click_id)).status).toBe(400)
    expect(newClick(partner)).rejects.toThrow()
  })

  test.each(["last_click", "first_click"])(
    "the customer of a removed partner is free under %s, even after a sale",
    async attribution_model => {
      const shop = await newProgramOf(program, { attribution_model })
      const [next, later] = [await newPartner(shop), await newPartner(shop)]
      const click_id = await newClick(shop)
      await sell(click_id, {}, shop)
      await change(`/partners/${shop.partner_id}`, { status: "removed" }, shop)
      expect((await sell(click_id, {}, shop)).status).toBe(400) // until another partner's click

      expect(await clickAgain(click_id, next)).toBe(click_id)
      expect(await earnerOf(await sell(click_id, {}, shop))).toBe(next.partner_id)
      await clickAgain(click_id, later)
      expect(await earnerOf(await sell(click_id, {}, shop))).toBe(next.partner_id)
    },
  )

  test("a removed partner's customers stay, if no other partner's click came first", async () => {
    const shop = await newProgramOf(program)
    const click_id = await newClick(shop)
    await sell(click_id, {}, shop)
    await change(`/partners/${shop.partner_id}`, { status: "removed" }, shop)
    await change(`/partners/${shop.partner_id}`, { status: "approved" }, shop)
    await clickAgain(click_id, await newPartner(shop))
    expect(await earnerOf(await sell(click_id, {}, shop))).toBe(shop.partner_id)
  })

  test("a renewal of a removed partner's subscription is refused, even for a customer who moved on", async () => {
    const shop = await newProgramOf(program)
    const next = await newPartner(shop)
    const monthly = { is_recurring: true, subscription_id: "monthly" }
    const click_id = await newClick(shop)
    await sell(click_id, monthly, shop)
    await change(`/partners/${shop.partner_id}`, { status: "removed" }, shop)
    await clickAgain(click_id, next)
    expect((await sell(click_id, monthly, shop)).status).toBe(400)
    expect(await earnerOf(await sell(click_id, {}, shop))).toBe(next.partner_id)
  })

  test("a paused program takes no clicks, but still takes sales", async () => {
    const shop = await newProgramOf(program)
    const click_id = await newClick(shop)
    await change("", { status: "paused" }, shop)

    expect(await newClick(shop)).toBeUndefined()
    expect(await earnerOf(await sell(click_id, {}, shop))).toBe(shop.partner_id)
    await change("", { status: "active" }, shop)
    expect(await newClick(shop)).toBeString()
  })

  test("an archived program takes no clicks, sales or leads", async () => {
    const shop = await newProgramOf(program)
    const click_id = await newClick(shop)
    await send("DELETE", shop.path, { token: shop.session })

    expect(await newClick(shop)).toBeUndefined()
    expect((await sell(click_id, {}, shop)).status).toBe(401)
    const lead = await send("POST", "/api/v1/track/lead", { body: { click_id } })
    expect(lead.status).toBe(400)
  })
})
