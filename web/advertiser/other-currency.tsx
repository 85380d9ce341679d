import { useAnswer } from "../answers"
import { Code } from "../parts/code"
import { useMay, useProgram } from "../session"
import { words } from "../words/en/other-currency"
import { curlOf } from "./curl"

/** What it means that sales come in another currency than the program's, and what to do about each cause. */
export function OtherCurrencies() {
  const program = useProgram()
  return program ? <WaysOut title={words.list} currency={program.currency} /> : null
}

/** The same of one sale. Renders nothing if it is in the program's currency. */
export function OtherCurrency({ sale_id }: { sale_id: string }) {
  const program = useProgram()
  const isEnabled = useMay()("program:read") && program !== undefined
  const params = { id: program?.id ?? 0, saleId: sale_id }
  const sale = useAnswer("showSale", { params }, { isEnabled }).data?.data
  if (!program || !sale || sale.currency === program.currency) return null
  const { currency, transaction_id } = sale
  return (
    <WaysOut
      title={words.sale(currency, program.currency)}
      currency={program.currency}
      refund={curlOf("refund", { transaction_id })}
    />
  )
}

/** `refund`: the call that takes the sale back. */
function WaysOut(props: { title: string; currency: string; refund?: string }) {
  const { title, currency, refund } = props
  const may = useMay()
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>{words.what(currency)}</p>
      <ul>
        <li>{words.intended}</li>
        <li>
          {words.mistaken}
          {refund && <Code text={refund} label={words.refund} />}
        </li>
        <li>
          {words.ofProgram(currency)}{" "}
          {may("program:create") && <a href="/programs/new">{words.create}</a>}
        </li>
      </ul>
    </section>
  )
}

/** The way from a hint to the sales that it is about. */
export function OtherCurrencyLink({ programId }: { programId: number }) {
  const may = useMay()
  if (!may("commission:read")) return null
  return <a href={`/programs/${programId}/commissions?other_currency=true`}>{words.show}</a>
}
