import { beforeAll, describe, expect, test } from "bun:test"
import { refund, sell, settle } from "../../support/books"
import { mailsTo } from "../../support/outbox"
import { newEmail, newPartnerAccount } from "../../support/partner-account"
import { newProgram, type TestProgram } from "../../support/program"
import { data_dir, send, sql } from "../../support/world"

const SETTINGS = "/api/auth/notification-settings"

let program: TestProgram
let partnerEmail: string
let partnerSession: string
let sale: Awaited<ReturnType<typeof sell>>

/** The first lines of the mails to an address, oldest first, once there are as many as expected. */
async function messagesTo(email: string, count: number): Promise<string[]> {
  const mails = await mailsTo(data_dir, email, count)
  return mails.map(({ text }) => text.split("\n\n")[0]!).toReversed()
}

const step = (name: string, body?: object) => settle(program, sale.commission_id, name, body)

beforeAll(async () => {
  program = await newProgram()
  partnerEmail = newEmail()
  partnerSession = await newPartnerAccount(program, partnerEmail)
  sale = await sell(program, program.code)
})

describe("what happens to a commission is mailed to its partner, without the transaction_id:", () => {
  test("a rejection with its reason", async () => {
    await step("reject", { reason: "Not\nallowed." })
    const [mail] = await mailsTo(data_dir, partnerEmail)
    expect(mail!.subject).toEndWith(": commission rejected")
    expect(mail!.text).toStartWith(
      `Your commission of 15.00 USD for sale ${sale.sale_id} was rejected. Reason: Not allowed.\n`,
    )
    expect(mail!.text).not.toContain(sale.transaction_id)
  })

  test("a payment and a refund, of which the members hear as well, because it was paid", async () => {
    sale = await sell(program, program.code)
    const { sale_id, transaction_id } = sale
    await step("approve")
    await step("mark-paid")
    await messagesTo(partnerEmail, 2)
    await refund(program, { transaction_id, refund_amount_cents: 100, refund_id: "part" })
    const [, ...messages] = await messagesTo(partnerEmail, 3)
    expect(messages).toEqual([
      `Your commission of 15.00 USD for sale ${sale_id} was paid.`,
      `Sale ${sale_id} was refunded. Part of your commission was deducted.`,
    ])
    expect(await messagesTo(program.email, 1)).toEqual([
      `Sale ${transaction_id} was refunded after its commission was paid. Please review it.`,
    ])
  })

  test("a sale, if the person wants to hear of sales", async () => {
    const ofSales = await sql`
      select
      from delivery.notices
      where program_id = ${program.program_id}
        and kind = 'sale'
    `
    expect(ofSales).toHaveLength(0)
    for (const token of [partnerSession, program.session]) {
      await send("PUT", SETTINGS, { token, body: { sale: "instant" } })
    }
    sale = await sell(program, program.code)
    const { sale_id, transaction_id } = sale
    expect((await messagesTo(partnerEmail, 4)).at(-1)).toBe(
      `You earned 15.00 USD for sale ${sale_id}.`,
    )
    expect((await messagesTo(program.email, 2)).at(-1)).toBe(
      `Sale ${transaction_id} earned its partner 15.00 USD.`,
    )
  })
})
