import { beforeAll, describe, expect, test } from "bun:test"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const HALF = { kind: "percent", rate_bps: 5_000 }

let program: TestProgram // its Default group earns 30 %
let defaultGroup: number
let strict: number // a group of 10 %, approved by hand
beforeAll(async () => {
  program = await newProgram()
  const { body } = await request("GET", "/groups")
  defaultGroup = body.data[0].id
  strict = await newGroup({ kind: "percent", rate_bps: 1_000, auto_approve: false })
})

const request = (method: string, path: string, body?: object) =>
  send(method, `${program.path}${path}`, { token: program.session, body })

async function newGroup(policy: object): Promise<number> {
  const { body } = await request("POST", "/groups", { name: "Group", policy })
  return body.data.id
}

async function change(path: string, body: object) {
  expect(await request("PUT", path, body)).toMatchObject({ status: 200 })
}

let count = 0
const newTransaction = () => `terms-${process.pid}-${Date.now()}-${++count}`
const sell = (body: object) =>
  send("POST", "/api/v1/track/sale", {
    token: program.api_token,
    body: { transaction_id: newTransaction(), amount_cents: 10_000, ...body },
  })

/** Stores a sale while commissions cannot create one, lets `work` run, then completes the sale. */
async function sellAround(sale: object, work: () => Promise<unknown>) {
  const repeated = { transaction_id: newTransaction(), ...sale }
  await sql`alter table commissions.commissions rename to away`
  try {
    expect((await sell(repeated)).status).toBe(500)
    await work()
  } finally {
    await sql`alter table commissions.away rename to commissions`
  }
  const { status, body } = await sell(repeated)
  expect(status).toBe(200)
  return commissionOf(body.sale_id)
}

async function commissionOf(sale_id: number) {
  const { commission } = (await request("GET", `/sales/${sale_id}`)).body.data
  const [{ auto_approve }] = await sql<[{ auto_approve: boolean }]>`
    select auto_approve
    from commissions.commissions
    where id = ${commission.id}
  `
  return { ...commission, auto_approve }
}

describe("The terms of a sale are fixed when it is stored:", () => {
  test("the group, although the partner moves before the commission is created", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    const moved = await sellAround({ click_id }, () =>
      change(`/partners/${partner.partner_id}`, { group_id: strict }),
    )
    expect(moved).toMatchObject({ amount_cents: 3_000, group_id: defaultGroup, auto_approve: true })

    const after = await commissionOf((await sell({ click_id })).body.sale_id)
    expect(after).toMatchObject({ amount_cents: 1_000, group_id: strict, auto_approve: false })
  })

  test("the group, although the partner moves twice, into a group that is younger", async () => {
    const partner = await newPartner(program, { group_id: strict })
    const click_id = await newClick(partner)
    const moved = await sellAround({ click_id }, async () => {
      await change(`/partners/${partner.partner_id}`, { group_id: defaultGroup })
      const group_id = await newGroup(HALF)
      await change(`/partners/${partner.partner_id}`, { group_id })
    })
    expect(moved).toMatchObject({ amount_cents: 1_000, group_id: strict, auto_approve: false })
  })

  test("the approval, although the partner is suspended before, or approved again", async () => {
    const partner = await newPartner(program)
    const path = `/partners/${partner.partner_id}`
    const click_id = await newClick(partner)
    const approved = await sellAround({ click_id }, () => change(path, { status: "suspended" }))
    expect(approved).toMatchObject({ auto_approve: true })
    const suspended = await sellAround({ click_id }, () => change(path, { status: "approved" }))
    expect(suspended).toMatchObject({ auto_approve: false })
    const removed = await sellAround({ click_id }, () => change(path, { status: "removed" }))
    expect(removed).toMatchObject({ auto_approve: true, amount_cents: 3_000 })
  })

  test("the policy, although it changes before the commission is created", async () => {
    const group_id = await newGroup({ kind: "percent", rate_bps: 2_000, hold_days: 7 })
    const partner = await newPartner(program, { group_id })
    const click_id = await newClick(partner)
    const before = await sellAround({ click_id }, () =>
      change(`/groups/${group_id}`, { policy: { ...HALF, auto_approve: false, hold_days: 0 } }),
    )
    expect(before).toMatchObject({ amount_cents: 2_000, policy_version: 1, auto_approve: true })
    const after = await commissionOf((await sell({ click_id })).body.sale_id)
    expect(after).toMatchObject({ amount_cents: 5_000, policy_version: 2, auto_approve: false })
  })

  test("the policy, although the clock of the sales was hours ahead or behind", async () => {
    const group_id = await newGroup({ kind: "percent", rate_bps: 2_000 })
    const partner = await newPartner(program, { group_id })
    const click_id = await newClick(partner)
    const shift = (hours: number) => sql`
      update tracking.affiliate_sale_events
      set sale_date = sale_date + make_interval(hours => ${hours})
      where state = 'pending'
        and click_id = ${click_id}
    `
    const before = await sellAround({ click_id }, async () => {
      await change(`/groups/${group_id}`, { policy: HALF })
      await shift(3)
    })
    expect(before).toMatchObject({ amount_cents: 2_000, policy_version: 1 })
    const after = await sellAround({ click_id }, () => shift(-3))
    expect(after).toMatchObject({ amount_cents: 5_000, policy_version: 2 })
  })

  test("a policy that is scheduled for later decides by the time of the sale", async () => {
    const group_id = await newGroup({ kind: "percent", rate_bps: 2_000 })
    const partner = await newPartner(program, { group_id })
    const click_id = await newClick(partner)
    const effective_from = new Date(Date.now() + 1_000).toISOString()
    await change(`/groups/${group_id}`, { policy: { ...HALF, effective_from } })
    const before = await sellAround({ click_id }, () => Bun.sleep(1_500))
    expect(before).toMatchObject({ amount_cents: 2_000, policy_version: 1 })
    const after = await commissionOf((await sell({ click_id })).body.sale_id)
    expect(after).toMatchObject({ amount_cents: 5_000, policy_version: 2 })
  })

  test("a renewal's too, although the first sale was under another group", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    const renewal = { click_id, is_recurring: true, subscription_id: newTransaction() }
    const first = await commissionOf((await sell(renewal)).body.sale_id)
    await change(`/partners/${partner.partner_id}`, { group_id: strict })
    const second = await sellAround(renewal, () =>
      change(`/partners/${partner.partner_id}`, { group_id: defaultGroup }),
    )
    expect([first.group_id, second.group_id]).toEqual([defaultGroup, strict])
  })

  test("a sale without the partner's version, as an older process stores it, earns", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    const commission = await sellAround(
      { click_id },
      () => sql`
        update tracking.affiliate_sale_events
        set partner_version = null
        where click_id = ${click_id}
      `,
    )
    expect(commission).toMatchObject({ amount_cents: 3_000, group_id: defaultGroup })
  })
})
