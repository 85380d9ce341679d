import { newClick, newPartner, type TestProgram } from "./program"
import { send, sql } from "./world"

let count = 0

/** Records a sale to a new customer of a partner. Returns the reply and the transaction_id. */
export async function sell(program: TestProgram, code: string, fields: object = {}) {
  const transaction_id = `books-${process.pid}-${Date.now()}-${++count}`
  const click_id = await newClick({ code })
  const sale = { transaction_id, amount_cents: 4_999, click_id, ...fields }
  const reply = await send("POST", "/api/v1/track/sale", { token: program.api_token, body: sale })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return { transaction_id, ...(reply.body as { sale_id: number; commission_id: number }) }
}

/** The only sale of a new partner: 49.99, unless the fields say otherwise. */
export async function newSale(program: TestProgram, fields: object = {}) {
  const partner = await newPartner(program)
  return { ...partner, ...(await sell(program, partner.code, fields)) }
}

/** Approves, rejects or marks a commission as paid: `step` is approve, reject or mark-paid. */
export const settle = (
  { path, session }: Pick<TestProgram, "path" | "session">,
  commission_id: number,
  step: string,
  body: unknown = step === "reject" ? { reason: "Self-referral" } : undefined,
) => send("POST", `${path}/commissions/${commission_id}/${step}`, { token: session, body })

export const refund = ({ api_token: token }: TestProgram, body: object) =>
  send("POST", "/api/v1/track/refund", { token, body })

/** A partner's ledger entries, oldest first. */
export async function entriesOf(partner_id: number): Promise<string[]> {
  const entries = await sql`
    select kind, amount_cents
    from commissions.ledger
    where partner_id = ${partner_id}
    order by id
  `
  return entries.map(({ kind, amount_cents }) => `${kind} ${amount_cents}`)
}

/** All balances that differ from the sum of their ledger entries. There must never be one. */
export const wrongBalances = () => sql`
  select *
  from commissions.balances
  full join (
    select program_id, partner_id, currency, sum(amount_cents) as entered_cents
    from commissions.ledger
    group by program_id, partner_id, currency
  ) as entered using (program_id, partner_id, currency)
  where balance_cents is distinct from entered_cents
`
