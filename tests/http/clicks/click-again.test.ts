import { beforeAll, describe, expect, test } from "bun:test"
import { customerOf, storedClick } from "../../support/clicks"
import {
  newClick,
  newPartner,
  newProgram,
  newProgramOf,
  type TestProgram,
} from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram()
})

describe("a click with existing_click_id", () => {
  const again = (existing_click_id: string, code = program.code) =>
    newClick({ code }, { existing_click_id })

  test("belongs to the same customer", async () => {
    const first = await newClick(program)
    const before = await customerOf(first)
    expect(await again(first)).toBe(first)
    expect((await storedClick(first)).customer_id).toBe(before.id)
    const [counted] = await sql`
      select count(*)::int as events, count(distinct customer_id)::int as customers
      from tracking.affiliate_click_events
      where click_id = ${first}
    `
    expect(counted).toEqual({ events: 2, customers: 1 })
  })

  test.each<[string, () => Promise<string>]>([
    ["unknown", async () => "clk_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ["in a different case", async () => (await newClick(program)).toLowerCase()],
    ["of another program", async () => newClick(await newProgramOf(program))],
  ])("creates a new customer if the id is %s", async (_why, existing) => {
    const existing_click_id = await existing()
    expect(await again(existing_click_id)).not.toBe(existing_click_id)
  })

  test("belongs to the same customer when many race", async () => {
    const first = await newClick(program)
    const ids = await Promise.all(Array.from({ length: 30 }, () => again(first)))
    expect(new Set(ids)).toEqual(new Set([first]))
  })

  describe.each<[string, boolean, boolean, boolean]>([
    // model, window over, settled → moves
    ["last_click", false, false, true],
    ["last_click", false, true, false],
    ["last_click", true, false, true],
    ["last_click", true, true, true],
    ["first_click", false, false, false],
    ["first_click", false, true, false],
    ["first_click", true, false, true],
    ["first_click", true, true, true],
  ])("%s, window over: %p, converted: %p", (attribution_model, isOver, isSettled, moves) => {
    test(moves ? "takes the customer over" : "leaves the customer alone", async () => {
      const one = await newProgramOf(program, { attribution_model, cookie_window_days: 7 })
      const other = await newPartner(one)
      const click_id = await newClick(one)
      await sql`
        update tracking.customers
        set
          is_settled = ${isSettled},
          attributed_at = attributed_at - ${isOver ? 8 : 6} * interval '1 day'
        where click_id = ${click_id}
      `
      expect(await again(click_id, other.code)).toBe(click_id)
      const { partner_id, link_id, is_settled: settled } = await customerOf(click_id)
      const owner = moves ? other : one
      expect({ partner_id, link_id }).toEqual({
        partner_id: owner.partner_id,
        link_id: owner.link_id,
      })
      expect(settled).toBe(isSettled && !moves)
      expect((await storedClick(click_id)).partner_id).toBe(other.partner_id)
    })
  })

  test("stores the attribution window in force at the click, even if the program changes it later", async () => {
    const one = await newProgramOf(program, { cookie_window_days: 7 })
    const click_id = await newClick(one)
    await send("PUT", one.path, { token: one.session, body: { cookie_window_days: 90 } })
    expect((await customerOf(click_id)).window_days).toBe(7)
    await again(click_id, one.code)
    expect((await customerOf(click_id)).window_days).toBe(90)
  })

  test("sets partner and link consistently when clicks race", async () => {
    const one = await newProgramOf(program)
    const codes = [one.code, (await newPartner(one)).code, (await newPartner(one)).code]
    const click_id = await newClick(one)
    await Promise.all(Array.from({ length: 45 }, (_, i) => again(click_id, codes[i % 3])))
    const { click_event_id, attributed_at, ...owner } = await customerOf(click_id)
    const [event] = await sql`
      select
        partner_id, link_id, click_timestamp,
        click_timestamp = max(click_timestamp) over () as is_newest
      from tracking.affiliate_click_events
      where click_id = ${click_id}
      order by id = ${click_event_id} desc
    `
    expect(event).toMatchObject({ click_timestamp: attributed_at, is_newest: true })
    expect(owner).toMatchObject({ partner_id: event!.partner_id, link_id: event!.link_id })
  })

  test("does not reattribute the customer if a concurrent sale is recorded first", async () => {
    const one = await newProgramOf(program)
    const other = await newPartner(one)
    for (let round = 0; round < 10; round++) {
      const click_id = await newClick(one)
      const body = { click_id, transaction_id: `of ${click_id}`, amount_cents: 100 }
      const [sale] = await Promise.all([
        send("POST", "/api/v1/track/sale", { token: one.api_token, body }),
        again(click_id, other.code),
      ])
      await again(click_id, round % 2 ? one.code : other.code)
      const [sold] = await sql`
        select partner_id, link_id, click_event_id
        from tracking.affiliate_sale_events
        where id = ${sale.body.sale_id}
      `
      expect(await customerOf(click_id)).toMatchObject({ ...sold, is_settled: true })
    }
  })
})
