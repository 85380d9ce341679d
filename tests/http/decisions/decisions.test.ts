import { beforeAll, describe, expect, test } from "bun:test"
import { majorText } from "../../../lib/money"
import { newSale, refund, sell, settle } from "../../support/books"
import { newMember } from "../../support/member"
import { newClick, newPartner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

let program: TestProgram
let other: TestProgram
beforeAll(async () => {
  program = await newProgram() // 30 %, 15 days of hold
  other = await newProgram()
})

const RULES =
  "program link partner candidates window duration policy amount hold approval refunds rejection"

type Step = { rule: string; result: string; sentence: string; at: string; facts: any } // any: JSON

async function ask(query: string, { path, session } = program) {
  return send("GET", `${path}/decisions?${query}`, { token: session })
}
async function decide(query: string, of = program) {
  const { status, body } = await ask(query, of)
  expect(status, JSON.stringify(body)).toBe(200)
  const steps = Object.fromEntries(body.data.steps.map((step: Step) => [step.rule, step]))
  return { ...body.data, step: steps as Record<string, Step> }
}

const pay = async (commission_id: number, of = program) => {
  await settle(of, commission_id, "approve")
  await settle(of, commission_id, "mark-paid")
}
const partly = (transaction_id: string) =>
  refund(program, { transaction_id, refund_amount_cents: 1_000 })

describe("a decision", () => {
  test("has all steps in order, and its amount as a formula", async () => {
    const sale = await newSale(program, { amount_cents: 5_440, customer_key: "formula" })
    const decision = await decide(`sale_id=${sale.sale_id}`)

    expect(decision.steps.map(({ rule }: Step) => rule).join(" ")).toBe(RULES)
    expect(decision).toMatchObject({
      subject: {
        sale_id: sale.sale_id,
        transaction_id: sale.transaction_id,
        commission_id: sale.commission_id,
        partner_id: sale.partner_id,
        customer_key: "formula",
      },
      sales: [sale.sale_id],
      outcome: "pending",
      next: { what: "hold_ends", at: expect.any(String) },
    })
    expect(decision.sentence).toMatch(/^Earned 16\.32 USD: on hold until \d+ \w+ 20\d\d\.$/)
    expect(decision.step.amount!.facts.formula).toBe("54.40 × 30 % = 16.32")
    expect(decision.step.policy).toMatchObject({
      sentence: "Version 1 of the policy pays 30 % of each sale.",
      facts: { policy_version: 1, rate_bps: 3_000, group_name: "Default" },
    })
    expect(decision.step.candidates!.sentence).toBe("It was the customer's only click.")
    expect(decision.step.link!.facts).toMatchObject({ code: sale.code, link_id: sale.link_id })
  })

  test.each<[string, string, RegExp, (sale: Awaited<ReturnType<typeof newSale>>) => unknown]>([
    [
      "approved",
      "payable",
      /^Earned 15\.00 USD: approved, not paid yet\.$/,
      sale => settle(program, sale.commission_id, "approve"),
    ],
    ["paid", "paid", /^Earned and paid: 15\.00 USD\.$/, sale => pay(sale.commission_id)],
    [
      "rejected",
      "withheld",
      /^Not paid: the advertiser rejected it\. Reason: Own purchase\.$/,
      sale => settle(program, sale.commission_id, "reject", { reason: "Own purchase." }),
    ],
    [
      "refunded in full",
      "withheld",
      /^Not paid: the sale was refunded\.$/,
      sale => refund(program, { transaction_id: sale.transaction_id }),
    ],
    [
      "refunded in part",
      "pending",
      /^Earned 12\.00 USD after a partial refund: on hold/,
      sale => partly(sale.transaction_id),
    ],
    [
      "refunded in part after approval",
      "payable",
      /^Earned 12\.00 USD after a partial/,
      async sale => {
        await settle(program, sale.commission_id, "approve")
        await partly(sale.transaction_id)
      },
    ],
    [
      "refunded in part after payment",
      "paid",
      /a refund afterwards took 3\.00 USD/,
      async sale => {
        await pay(sale.commission_id)
        await partly(sale.transaction_id)
      },
    ],
    [
      "refunded after payment",
      "withheld",
      /^Paid 15\.00 USD; a refund afterwards took 15\.00/,
      async sale => {
        await pay(sale.commission_id)
        await refund(program, { transaction_id: sale.transaction_id })
      },
    ],
  ])("of a commission that was %s is %s", async (_what, outcome, sentence, change) => {
    const sale = await newSale(program)
    await change(sale)
    const decision = await decide(`sale_id=${sale.sale_id}`)
    expect(decision.outcome).toBe(outcome)
    expect(decision.sentence).toMatch(sentence)
  })

  test("of a policy without automatic approval waits for the advertiser", async () => {
    const commission = { kind: "percent", rate_bps: 1_000, hold_days: 0, auto_approve: false }
    const strict = await newProgram({ commission })
    const sale = await newSale(strict)
    const decision = await decide(`sale_id=${sale.sale_id}`, strict)
    expect(decision.next).toEqual({ what: "approval", at: null })
    expect(decision.step.approval).toMatchObject({ result: "waiting" })
    expect(decision.step.hold!.sentence).toBe("There is no hold.")

    await settle(strict, sale.commission_id, "approve")
    const { step } = await decide(`sale_id=${sale.sale_id}`, strict)
    expect(step.approval!.sentence).toMatch(/^The advertiser approved it on /)
    expect(step.approval!.at).toMatch(/^20/)
  })

  test("says that the hold approved a commission", async () => {
    const sale = await newSale(program)
    await sql`
      update commissions.commissions
      set hold_ends_at = now() - interval '1 second'
      where id = ${sale.commission_id}
    `
    for (let tries = 0; tries < 100; tries++) {
      const { step } = await decide(`sale_id=${sale.sale_id}`)
      if (step.approval!.result === "passed") {
        expect(step.approval!.sentence).toMatch(/^Approved by itself on /)
        return
      }
      await Bun.sleep(50)
    }
    throw new Error("The commission was not approved.")
  })

  test("of a suspended partner's sale says why it needs approval", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    await send("PUT", `${program.path}/partners/${partner.partner_id}`, {
      token: program.session,
      body: { status: "suspended" },
    })
    const { sale_id } = await sell(program, partner.code, { click_id })
    expect((await decide(`sale_id=${sale_id}`)).step.partner!.sentence).toMatch(/suspended/)
  })

  test("has the terms of a product, and of a fixed amount in another currency", async () => {
    const products = [{ product_id: "sku-1", kind: "percent", rate_bps: 1_250 }]
    const commission = { kind: "fixed", amount_cents: 700, products }
    const yen = await newProgram({ commission, currency: "JPY" })
    const fixed = await newSale(yen, { currency: "KWD", amount_cents: 9_999 })
    const { step } = await decide(`sale_id=${fixed.sale_id}`, yen)
    expect(step.policy!.sentence).toBe("Version 1 of the policy pays 700 JPY for each sale.")
    expect(step.amount!.facts).toMatchObject({ formula: "700", currency: "JPY" })

    const own = await newSale(yen, { currency: "KWD", amount_cents: 9_999, product_id: "sku-1" })
    const product = await decide(`sale_id=${own.sale_id}`, yen)
    expect(product.step.policy!.sentence).toBe(
      "Version 1 of the policy pays 12.5 % of this product.",
    )
    expect(product.step.amount!.facts.formula).toBe("9.999 × 12.5 % = 1.250")
  })

  test.each([
    ["last_click", [1], "later_click won", "Of 2 clicks the last one"],
    ["first_click", [0], "won earlier_click", "the customer stayed with it"],
  ])("of a %s program says which clicks lost, and why", async (model, [winner], results, why) => {
    const program = await newProgram({ attribution_model: model })
    const partners = [program, await newPartner(program)]
    const click_id = await newClick(partners[0]!)
    await newClick(partners[1]!, { existing_click_id: click_id })
    const { sale_id } = await sell(program, program.code, { click_id })
    const { step, subject } = await decide(`sale_id=${sale_id}`, program)
    expect(subject.partner_id).toBe(partners[winner!]!.partner_id)
    expect(resultsOf(step)).toBe(results)
    expect(step.candidates!.sentence).toContain(why)
  })

  test("says that a customer who has bought stays, and leaves out later clicks", async () => {
    const rival = await newPartner(program)
    const click_id = await newClick(program)
    const first = await sell(program, program.code, { click_id })
    await newClick(rival, { existing_click_id: click_id })
    const second = await sell(program, program.code, { click_id })
    await newClick(rival, { existing_click_id: click_id })

    expect(resultsOf((await decide(`sale_id=${first.sale_id}`)).step)).toBe("won")
    expect(resultsOf((await decide(`sale_id=${second.sale_id}`)).step)).toBe("won earlier_sale")
  })

  test("says that the window of a click had ended", async () => {
    const rival = await newPartner(program)
    const click_id = await newClick(program)
    await backdate(click_id, "61 days")
    await newClick(rival, { existing_click_id: click_id })
    const { sale_id } = await sell(program, program.code, { click_id })
    expect(resultsOf((await decide(`sale_id=${sale_id}`)).step)).toBe("window_ended won")
  })

  test("lists at most 50 clicks, the one that won among them", async () => {
    const program = await newProgram({ attribution_model: "first_click" })
    const click_id = await newClick(program)
    for (let count = 0; count < 54; count++) {
      await newClick(program, { existing_click_id: click_id })
    }
    const { sale_id } = await sell(program, program.code, { click_id })
    const { clicks, other_clicks } = (await decide(`sale_id=${sale_id}`, program)).step.candidates!
      .facts
    expect(clicks).toHaveLength(50)
    expect(other_clicks).toBe(5)
    expect(clicks[0].result).toBe("won")
  })
})

const resultsOf = (step: Record<string, Step>) =>
  step.candidates!.facts.clicks.map(({ result }: { result: string }) => result).join(" ")

/** Makes the only click of a customer older. */
const backdate = (click_id: string, age: string) =>
  sql.begin(async sql => {
    await sql`
    update tracking.customers
    set created_at = created_at - ${age}::interval, attributed_at = attributed_at - ${age}::interval
    where click_id = ${click_id}
  `
    await sql`
    update tracking.affiliate_click_events
    set click_timestamp = click_timestamp - ${age}::interval
    where click_id = ${click_id}
  `
  })

describe("a sale without a commission has exactly one failed step (F9)", () => {
  const failed = ({ steps }: { steps: Step[] }) =>
    steps.filter(({ result }) => result === "failed").map(({ rule }) => rule)

  test("if the window had ended", async () => {
    const click_id = await newClick(program)
    await backdate(click_id, "61 days")
    const { sale_id } = await sell(program, program.code, { click_id })
    const decision = await decide(`sale_id=${sale_id}`)
    expect(failed(decision)).toEqual(["window"])
    expect(decision).toMatchObject({
      outcome: "none",
      sentence: "No commission: the attribution window of 60 days had ended.",
      subject: { commission_id: null },
      amounts: { earned_cents: 0, deducted_cents: 0, clamped_cents: 0, paid_cents: 0 },
    })
    expect(decision.step.window!.facts).toEqual({ click_age_days: 61, window_days: 60 })
    expect(decision.step.amount!.result).toBe("not_asked")
  })

  test.each<[number, string, string]>([
    [0, "1 day", "only the first payment of a subscription earns."],
    [12, "12 months", "renewals earn for 12 months."],
  ])("if renewals earn for %i months", async (duration_months, age, sentence) => {
    const commission = { kind: "percent", rate_bps: 1_000, duration_months }
    const program = await newProgram({ commission })
    const subscription = { is_recurring: true, sale_type: "subscription", subscription_id: "s" }
    const first = await sell(program, program.code, subscription)
    await sql`
      update commissions.commissions
      set sale_date = sale_date - ${age}::interval
      where sale_id = ${first.sale_id}
    `
    const { sale_id } = await sell(program, program.code, subscription)
    const decision = await decide(`sale_id=${sale_id}`, program)
    expect(failed(decision)).toEqual(["duration"])
    expect(decision.sentence).toBe(`No commission: ${sentence}`)
    expect(decision.step.candidates!.result).toBe("not_asked")
    expect(decision.step.window!.result).toBe("not_asked")
  })

  test("and a renewal that earns has none", async () => {
    const subscription = { is_recurring: true, sale_type: "subscription", subscription_id: "life" }
    await sell(program, program.code, subscription)
    const { sale_id } = await sell(program, program.code, subscription)
    const decision = await decide(`sale_id=${sale_id}`)
    expect(failed(decision)).toEqual([])
    expect(decision.step.duration!.sentence).toBe("Renewals earn for life.")
  })
})

test("its amounts equal commission and ledger, whatever happens to a sale (F7)", async () => {
  const program = await newProgram()
  const steps: ((sale: Awaited<ReturnType<typeof newSale>>) => unknown)[] = [
    () => {},
    sale => settle(program, sale.commission_id, "reject"),
    sale => pay(sale.commission_id, program),
    sale => refund(program, { transaction_id: sale.transaction_id }),
    ...[333, 1_000, 4_998].flatMap(refund_amount_cents => [
      (sale: { transaction_id: string }) =>
        refund(program, {
          transaction_id: sale.transaction_id,
          refund_amount_cents,
          refund_id: "a",
        }),
      async (sale: { transaction_id: string; commission_id: number }) => {
        await pay(sale.commission_id, program)
        const { transaction_id } = sale
        await refund(program, { transaction_id, refund_amount_cents, refund_id: "a" })
        await refund(program, { transaction_id, refund_amount_cents: 1, refund_id: "b" })
      },
    ]),
  ]
  for (const change of steps) {
    const sale = await newSale(program)
    await change(sale)
    const { amounts, step } = await decide(`commission_id=${sale.commission_id}`, program)
    const [row] = await sql`
      select
        commission.amount_cents, deducted_cents, currency,
        sum(entry.amount_cents) as balance_cents,
        coalesce(sum(entry.amount_cents) filter (where kind = 'payout'), 0) as payout_cents,
        coalesce(sum(entry.amount_cents) filter (where kind = 'rejection'), 0) as rejection_cents
      from commissions.commissions as commission
      join commissions.ledger as entry using (currency)
      where commission.id = ${sale.commission_id} and entry.commission_id = commission.id
      group by commission.id
    `
    const { earned_cents, deducted_cents, clamped_cents, paid_cents } = amounts
    expect(earned_cents).toBe(row!.amount_cents)
    expect(deducted_cents).toBe(row!.deducted_cents - Number(row!.rejection_cents))
    expect(paid_cents).toBe(0 - Number(row!.payout_cents))
    expect(earned_cents - deducted_cents + clamped_cents - paid_cents).toBe(
      Number(row!.balance_cents),
    )
    expect(step.amount!.sentence).toContain(majorText(row!.amount_cents, row!.currency))

    const { body } = await send(
      "GET",
      `${program.path}/commissions/${sale.commission_id}/entries?pageSize=100`,
      { token: program.session },
    )
    const entered = body.data.reduce(
      (cents: number, { legs }: { legs: [{ account: "owed"; amount_cents: number }] }) =>
        cents + legs[0].amount_cents,
      0,
    )
    expect(entered).toBe(Number(row!.balance_cents))
  }
})

describe("the subject", () => {
  test("is a sale, transaction, commission, click or customer", async () => {
    const partner = await newPartner(program)
    const click_id = await newClick(partner)
    const customer_key = `customer ${click_id}` // with a space
    const before = await clickEventsOf(click_id)
    const first = await sell(program, partner.code, { click_id, customer_key })
    await newClick(partner, { existing_click_id: click_id })
    const second = await sell(program, partner.code, { click_id, customer_key })
    const [clickEvent, later] = await clickEventsOf(click_id)
    expect(before).toEqual([clickEvent!])

    const named = [
      `sale_id=${first.sale_id}`,
      `transaction_id=${first.transaction_id}`,
      `commission_id=${first.commission_id}`,
    ]
    for (const query of named) {
      const { sales, subject } = await decide(query)
      expect([sales, subject.sale_id]).toEqual([[first.sale_id], first.sale_id])
    }
    const both = [second.sale_id, first.sale_id]
    expect((await decide(`click_event_id=${clickEvent}`)).sales).toEqual(both)
    expect((await decide(`customer_key=${encodeURIComponent(customer_key)}`)).sales).toEqual(both)
    expect((await decide(`click_event_id=${later}`)).sales).toEqual([second.sale_id])
  })

  test("may be a click that has not led to a sale", async () => {
    const [clickEvent] = await clickEventsOf(await newClick(program))
    const decision = await decide(`click_event_id=${clickEvent}`)
    expect(decision).toMatchObject({
      outcome: "none",
      sentence: "No sale has been recorded yet.",
      subject: { sale_id: null, partner_id: program.partner_id },
      sales: [],
    })
    expect(decision.step.window!.result).toBe("waiting")
  })

  test("may be an erased customer's sale", async () => {
    const sale = await newSale(program, { customer_key: "to-erase" })
    await send("DELETE", `${program.path}/customers/to-erase`, { token: program.session })
    const { subject, step } = await decide(`sale_id=${sale.sale_id}`)
    expect(subject.customer_key).toBeNull()
    expect(resultsOf(step)).toBe("won")
  })

  const foreign = async () => newSale(other)
  test.each<[number, string, () => Promise<string>]>([
    [400, "no subject", async () => ""],
    [400, "two subjects", async () => "sale_id=1&commission_id=1"],
    [400, "an id that is no integer", async () => "sale_id=x"],
    [404, "an unknown sale", async () => "sale_id=99999999999999"],
    [404, "an unknown transaction", async () => "transaction_id=nothing"],
    [404, "an unknown commission", async () => "commission_id=99999999999999"],
    [404, "an unknown click", async () => "click_event_id=99999999999999"],
    [404, "an unknown customer", async () => "customer_key=unknown"],
    [404, "another workspace's sale", async () => `sale_id=${(await foreign()).sale_id}`],
    [
      404,
      "another's transaction",
      async () => `transaction_id=${(await foreign()).transaction_id}`,
    ],
    [404, "another's commission", async () => `commission_id=${(await foreign()).commission_id}`],
  ])("%i: %s", async (status, _why, query) => {
    expect(await ask(await query())).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test("is explained to billing members, too, without anything of the visitor", async () => {
    const session = await newMember(program, "billing")
    const sale = await newSale(program)
    const { body } = await ask(`sale_id=${sale.sale_id}`, { ...program, session })
    expect(JSON.stringify(body)).not.toMatch(/user_agent|page_url|referrer|geo_|session_id/)
  })
})

async function clickEventsOf(click_id: string): Promise<number[]> {
  const clicks = await sql<{ id: number }[]>`
    select id
    from tracking.affiliate_click_events
    where click_id = ${click_id}
    order by id
  `
  return clicks.map(({ id }) => id)
}
