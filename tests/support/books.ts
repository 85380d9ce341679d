import { newClick, newPartner, type TestProgram } from "./program"
import { send, sql } from "./world"

let count = 0

/** Sells to a new customer of a partner. Answers what /track/sale did, and the transaction_id. */
export async function sell(program: TestProgram, code: string, fields: object = {}) {
  const transaction_id = `books-${process.pid}-${Date.now()}-${++count}`
  const click_id = await newClick({ code })
  const sale = { transaction_id, amount_cents: 4_999, click_id, ...fields }
  const sold = await send("POST", "/api/v1/track/sale", { token: program.api_token, body: sale })
  if (sold.status !== 200) throw new Error(JSON.stringify(sold.body))
  return { transaction_id, ...(sold.body as { sale_id: number; commission_id: number }) }
}

/** A sale of a partner that has no other: 49.99, unless the fields say otherwise. */
export async function newSale(program: TestProgram, fields: object = {}) {
  const partner = await newPartner(program)
  return { ...partner, ...(await sell(program, partner.code, fields)) }
}

/** approve, reject or mark-paid. */
export const settle = (
  { path, session }: Pick<TestProgram, "path" | "session">,
  commission_id: number,
  step: string,
  body?: unknown,
) => send("POST", `${path}/commissions/${commission_id}/${step}`, { token: session, body })

export const refund = ({ api_token: token }: TestProgram, body: object) =>
  send("POST", "/api/v1/track/refund", { token, body })

/** The entries of a partner in the order in which they were made. */
export async function entriesOf(partner_id: number): Promise<string[]> {
  const entries = await sql`
    select kind, amount_cents
    from commissions.ledger
    where partner_id = ${partner_id}
    order by id
  `
  return entries.map(({ kind, amount_cents }) => `${kind} ${amount_cents}`)
}

/** Balances of anybody that are not the sum of their entries: there never are any. */
export const untrueBalances = () => sql`
  select *
  from commissions.balances
  full join (
    select program_id, partner_id, currency, sum(amount_cents) as entered_cents
    from commissions.ledger
    group by program_id, partner_id, currency
  ) as entered using (program_id, partner_id, currency)
  where balance_cents is distinct from entered_cents
`
