import { afterEach, beforeAll, describe, expect, test } from "bun:test"
import { entriesOf, newSale, refund, sell, settle, wrongBalances } from "../../support/books"
import { newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
beforeAll(async () => {
  program = await newProgram() // 30 %
})

afterEach(async () => {
  expect(await wrongBalances()).toHaveLength(0)
})

/** A step on a sale, named a or b, of one partner. */
type Step =
  | [sale: string, step: "sell", amount_cents: number]
  | [sale: string, step: "approve" | "reject" | "mark-paid"]
  | [sale: string, step: "refund", amount_cents?: number, refund_id?: string]

/** Runs the steps. Returns the replies to refunds and the partner's ledger afterwards. */
async function runSteps(steps: Step[]) {
  const { partner_id, code } = await newPartner(program)
  const sales: Record<string, Awaited<ReturnType<typeof sell>>> = {}
  const replies: (string | number)[] = []

  for (const [name, step, amount_cents, refund_id] of steps) {
    if (step === "sell") {
      sales[name] = await sell(program, code, { amount_cents })
      continue
    }
    const { transaction_id, commission_id } = sales[name]!
    if (step === "refund") {
      const input = { transaction_id, refund_amount_cents: amount_cents, refund_id }
      const { status, body } = await refund(program, input)
      replies.push(status === 200 ? [body.status, body.deductionAmount].join(" ").trim() : status)
    } else {
      expect((await settle(program, commission_id, step)).status).toBe(200)
    }
  }
  const { body } = await send("GET", `${program.path}/partners/${partner_id}`, {
    token: program.session,
  })
  const entries = (await entriesOf(partner_id)).filter(entry => !entry.startsWith("commission"))
  return { partner_id, replies, balance_cents: body.data.balance_cents as number, entries }
}

const A: Step = ["a", "sell", 4_999] // earns 1500
const B: Step = ["b", "sell", 4_999]
const PAID: Step[] = [A, ["a", "approve"], ["a", "mark-paid"]]

describe("the ledger", () => {
  test.each<[string, Step[], (string | number)[], string[], number]>([
    ["a full refund", [A, ["a", "refund"]], ["reversed 15"], ["deduction -1500"], 0],
    [
      "a refund of 0 is a full one",
      [A, ["a", "refund", 0]],
      ["reversed 15"],
      ["deduction -1500"],
      0,
    ],
    [
      "a second refund is skipped",
      [A, ["a", "refund"], ["a", "refund"], ["a", "refund", 9, "r"], ["a", "refund", 9_999]],
      ["reversed 15", "skipped", "skipped", "skipped"],
      ["deduction -1500"],
      0,
    ],
    ["a partial refund", [A, ["a", "refund", 2_500]], ["refunded 7.5"], ["deduction -750"], 750],
    [
      "a partial refund of the whole amount",
      [A, ["a", "refund", 4_999]],
      ["refunded 15"],
      ["deduction -1500"],
      0,
    ],
    [
      "a partial refund without refund_id allows no other",
      [A, ["a", "refund", 100], ["a", "refund", 100, "r"], ["a", "refund"]],
      ["refunded 0.3", "skipped", "skipped"],
      ["deduction -30"],
      1_470,
    ],
    [
      "several refunds with a refund_id add up",
      [A, ["a", "refund", 1_666, "r"], ["a", "refund", 1_666, "s"], ["a", "refund", 1_667, "t"]],
      ["refunded 5", "refunded 5", "refunded 5"],
      ["deduction -500", "deduction -500", "deduction -500"],
      0,
    ],
    [
      "partial refunds are rounded by their sum",
      [A, ["a", "refund", 1, "r"], ["a", "refund", 1, "s"], ["a", "refund", 1, "t"]],
      ["refunded 0", "refunded 0.01", "refunded 0"], // 0.3, 0.6 and 0.9 cents
      ["deduction 0", "deduction -1", "deduction 0"],
      1_499,
    ],
    [
      "each refund_id counts once",
      [A, ["a", "refund", 100, "r"], ["a", "refund", 200, "r"], ["a", "refund", 100, "R"]],
      ["refunded 0.3", "skipped", "refunded 0.3"],
      ["deduction -30", "deduction -30"],
      1_440,
    ],
    [
      "after a refund with a refund_id, one without is skipped",
      [A, ["a", "refund", 100, "r"], ["a", "refund"], ["a", "refund", 9_999]],
      ["refunded 0.3", "skipped", "skipped"],
      ["deduction -30"],
      1_470,
    ],
    [
      "a full refund with a refund_id takes the rest and is the last",
      [A, ["a", "refund", 100, "r"], ["a", "refund", 0, "s"], ["a", "refund", 100, "t"]],
      ["refunded 0.3", "reversed 14.7", "skipped"],
      ["deduction -30", "deduction -1470"],
      0,
    ],
    [
      "partial refunds end with the sale's last cent",
      [A, ["a", "refund", 4_998, "r"], ["a", "refund", 1, "s"], ["a", "refund", 1, "t"]],
      ["refunded 15", "refunded 0", "skipped"], // 1499.7 is 1500 already
      ["deduction -1500", "deduction 0"],
      0,
    ],
    [
      "more than the sale is refused, the whole sale is not",
      [A, ["a", "refund", 5_000], ["a", "refund", 4_999, "r"]],
      [400, "refunded 15"],
      ["deduction -1500"],
      0,
    ],
    [
      "more than what remains is refused, what remains is not",
      [A, ["a", "refund", 4_000, "r"], ["a", "refund", 1_000, "s"], ["a", "refund", 999, "s"]],
      ["refunded 12", 400, "refunded 3"],
      ["deduction -1200", "deduction -300"],
      0,
    ],
    [
      "a rejected commission has nothing to deduct",
      [A, ["a", "reject"], ["a", "refund"]],
      ["skipped"],
      ["rejection -1500"],
      0,
    ],
    [
      "an approved commission is reversed like a pending one",
      [A, ["a", "approve"], ["a", "refund"]],
      ["reversed 15"],
      ["deduction -1500"],
      0,
    ],
    [
      "a paid commission leaves a debt",
      [...PAID, ["a", "refund"]],
      ["reversed 15"],
      ["payout -1500", "deduction -1500"],
      -1_500,
    ],
    [
      "a paid commission leaves a debt in parts too",
      [...PAID, ["a", "refund", 2_500, "r"], ["a", "refund", 0, "s"]],
      ["refunded 7.5", "reversed 7.5"],
      ["payout -1500", "deduction -750", "deduction -750"],
      -1_500,
    ],
    [
      "the deduction of an unpaid commission is clamped from zero to zero",
      [...PAID, ["a", "refund"], B, ["b", "refund"]],
      ["reversed 15", "reversed 15"],
      ["payout -1500", "deduction -1500", "deduction -1500", "clamp 1500"],
      0,
    ],
    [
      "the deduction of an unpaid commission is clamped from above zero to zero",
      [...PAID, ["a", "refund", 2_500], B, ["b", "refund"]],
      ["refunded 7.5", "reversed 15"],
      ["payout -1500", "deduction -750", "deduction -1500", "clamp 750"],
      0,
    ],
    [
      "the deduction of an unpaid commission leaves a debt unchanged",
      [...PAID, ["a", "refund"], ["b", "sell", 1_000], ["b", "refund"]],
      ["reversed 15", "reversed 3"],
      ["payout -1500", "deduction -1500", "deduction -300", "clamp 300"],
      -1_200,
    ],
    [
      "a rejection removes the commission and forgives no debt",
      [...PAID, ["a", "refund"], ["b", "sell", 1_000], ["b", "reject"]],
      ["reversed 15"],
      ["payout -1500", "deduction -1500", "rejection -300"],
      -1_500,
    ],
    [
      "each partial refund is clamped separately",
      [...PAID, ["a", "refund", 2_500], B, ["b", "refund", 3_000, "r"], ["b", "refund", 0, "s"]],
      ["refunded 7.5", "refunded 9", "reversed 6"],
      [
        "payout -1500",
        "deduction -750",
        "deduction -900",
        "clamp 150",
        "deduction -600",
        "clamp 600",
      ],
      0,
    ],
    [
      "a commission of zero is reversed too",
      [
        ["a", "sell", 1],
        ["a", "refund"],
      ],
      ["reversed 0"],
      ["deduction 0"],
      0,
    ],
  ])("%s", async (_what, steps, replies, entries, balance_cents) => {
    expect(await runSteps(steps)).toMatchObject({ replies, entries, balance_cents })
  })

  test("stays consistent through a hundred random steps", async () => {
    for (let seed = 1; seed <= 10; seed++) {
      let throws = 0
      const roll = (sides: number) => Bun.hash.crc32(`${seed}/${throws++}`) % sides
      const names = ["a", "b", "c"]
      const steps: Step[] = names.map(name => [name, "sell", 1 + roll(10_000)])
      for (const name of names) {
        const settled = roll(4)
        if (settled === 0) steps.push([name, "reject"])
        if (settled > 1) steps.push([name, "approve"])
        if (settled > 2) steps.push([name, "mark-paid"])
      }
      for (let i = 0; i < 7; i++) {
        steps.push([names[roll(3)]!, "refund", roll(4_000), roll(4) ? `r${roll(5)}` : undefined])
      }
      const { partner_id } = await runSteps(steps)
      const wrong = await sql`
        select commission.id
        from commissions.commissions as commission
        left join lateral (
          select
            coalesce(sum(deduction_cents), 0) as deducted_cents,
            coalesce(sum(refund_cents), 0) as refunded_cents
          from commissions.refunds
          where commission_id = commission.id
        ) as taken on true
        where partner_id = ${partner_id}
          and (
            (taken.deducted_cents, taken.refunded_cents)
              <> (commission.deducted_cents, commission.refunded_cents)
            or (status = 'reversed' and commission.deducted_cents <> amount_cents)
            or (status not in ('reversed', 'refunded') and commission.deducted_cents <> 0)
          )
      `
      expect(wrong, `seed ${seed}`).toHaveLength(0)
    }
  })

  test("deducts once when refunds of one sale race", async () => {
    const { partner_id, transaction_id } = await newSale(program)
    const racing = Array.from({ length: 40 }, () => refund(program, { transaction_id }))
    const statuses = (await Promise.all(racing)).map(({ body }) => body.status).sort()
    expect(statuses).toEqual(["reversed", ...Array(39).fill("skipped")])
    expect(await entriesOf(partner_id)).toEqual(["commission 1500", "deduction -1500"])
  })

  test("deducts each of many refunds that race, up to the whole sale", async () => {
    const { partner_id, transaction_id } = await newSale(program)
    const racing = Array.from({ length: 40 }, (_, i) =>
      refund(program, { transaction_id, refund_amount_cents: 125, refund_id: `r${i}` }),
    )
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(39).fill(200), 400]) // 40 × 1.25 is 50.00
    const [{ taken_cents }] = (await sql`
      select -sum(amount_cents)::int as taken_cents
      from commissions.ledger
      where partner_id = ${partner_id}
        and kind = 'deduction'
    `) as unknown as [{ taken_cents: number }]
    expect(taken_cents).toBe(1_463) // of 48.75: 1462.79
  })

  test("keeps currencies apart", async () => {
    const { partner_id, code } = await newPartner(program)
    await sell(program, code)
    const { transaction_id } = await sell(program, code, { currency: "JPY", amount_cents: 1_000 })
    await refund(program, { transaction_id, refund_amount_cents: 500 })
    const path = `${program.path}/partners/${partner_id}`
    const { body } = await send("GET", path, { token: program.session })
    expect(body.data).toMatchObject({
      balance_cents: 1_500,
      balances: [
        { currency: "JPY", balance_cents: 150 },
        { currency: "USD", balance_cents: 1_500 },
      ],
    })
  })
})

const notificationsOf = ({ commission_id }: { commission_id: number }) => sql`
  select recipient, kind, partner_id, workspace_id, message
  from commissions.notifications
  where commission_id = ${commission_id}
  order by recipient desc, id
`

describe("the notification of a decision", () => {
  test("informs the partner once of a rejection, with the first reason", async () => {
    const sale = await newSale(program)
    const reasons = ["Self-referral", "Something else"]
    for (const reason of reasons) await settle(program, sale.commission_id, "reject", { reason })
    expect([...(await notificationsOf(sale))]).toEqual([
      {
        recipient: "partner",
        kind: "commission_rejected",
        partner_id: sale.partner_id,
        workspace_id: null,
        message:
          `Your commission of 15.00 USD for sale ${sale.transaction_id} was rejected. ` +
          "Reason: Self-referral",
      },
    ])
  })

  test("gives the amount in the units of its currency", async () => {
    const sale = await newSale(program, { amount_cents: 1_000, currency: "JPY" })
    await settle(program, sale.commission_id, "reject", { reason: "Fraud" })
    const message = `Your commission of 300 JPY for sale ${sale.transaction_id} was rejected. Reason: Fraud`
    expect(await notificationsOf(sale)).toMatchObject([{ message }])
  })

  test("informs the partner once of a payment, and not of an approval", async () => {
    const sale = await newSale(program)
    const steps = ["approve", "approve", "mark-paid", "mark-paid", "reject"]
    for (const step of steps) await settle(program, sale.commission_id, step)
    const message = `Your commission of 15.00 USD for sale ${sale.transaction_id} was paid.`
    expect(await notificationsOf(sale)).toMatchObject([{ kind: "commission_paid", message }])
  })
})

describe("the notifications of a refund", () => {
  const refund_reason = "It did not fit"

  test("inform the partner, with amount and reason", async () => {
    const sale = await newSale(program)
    await refund(program, { transaction_id: sale.transaction_id, refund_reason })
    await refund(program, { transaction_id: sale.transaction_id, refund_reason })
    const notifications = await notificationsOf(sale)
    expect(notifications).toHaveLength(1)
    expect(notifications[0]).toMatchObject({
      recipient: "partner",
      kind: "commission_reversed",
      partner_id: sale.partner_id,
      message: expect.stringMatching(/15\.00 USD.* It did not fit$/),
    })
  })

  test("warn the advertiser if the commission was paid", async () => {
    const sale = await newSale(program)
    const { transaction_id, commission_id } = sale
    await settle(program, commission_id, "approve")
    await settle(program, commission_id, "mark-paid")
    for (const refund_id of ["r", "s", "s"]) {
      await refund(program, { transaction_id, refund_amount_cents: 100, refund_reason, refund_id })
    }
    const notifications = await notificationsOf(sale)
    expect(notifications.map(({ kind }) => kind)).toEqual([
      "commission_paid",
      ...Array(2).fill("commission_refunded"),
      ...Array(2).fill("paid_commission_refunded"),
    ])
    expect(notifications[4]).toMatchObject({
      recipient: "advertiser",
      workspace_id: program.workspace_id,
      message: expect.stringContaining("0.30 USD"),
    })
  })
})
