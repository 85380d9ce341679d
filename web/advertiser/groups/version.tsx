import { Status, type Tone } from "../../parts/status"
import { Table } from "../../parts/table"
import { timeText } from "../../parts/when"
import { words } from "../../words/en/groups"
import { approvalText, type Period, priceText, renewalsText } from "./terms"

const TONES: Record<Period["state"], Tone> = {
  planned: "warn",
  inForce: "good",
  past: "plain",
  skipped: "plain",
}

/** A version on the time line: when it holds, and what partners earn by it. */
export function Version({ period, currency }: { period: Period; currency: string }) {
  const { policy, state } = period
  const products = policy.products.map(product => ({ id: product.product_id, ...product }))
  return (
    <li class="card">
      <h3>
        {words.version(policy.version)} <Status tone={TONES[state]} text={words[state]} />
      </h3>
      <p>{heldText(period)}</p>
      <dl class="facts">
        <div>
          <dt>{words.earns}</dt>
          <dd>{priceText(policy, currency)}</dd>
        </div>
        <div>
          <dt>{words.renewals}</dt>
          <dd>{renewalsText(policy.duration_months)}</dd>
        </div>
        <div>
          <dt>{words.hold}</dt>
          <dd>{words.days(policy.hold_days)}</dd>
        </div>
        <div>
          <dt>{words.approval}</dt>
          <dd>{approvalText(policy.auto_approve)}</dd>
        </div>
      </dl>
      {products.length > 0 && (
        <Table
          caption={words.productsCaption(policy.version)}
          columns={[
            { name: "product", head: words.product, cell: ({ id }) => id },
            { name: "earns", head: words.earns, cell: price => priceText(price, currency) },
          ]}
          rows={products}
        />
      )}
    </li>
  )
}

function heldText({ from, until, state }: Period): string | null {
  if (state === "skipped") return null
  if (state === "planned") return words.willHold(timeText(from))
  if (until !== null && state === "inForce") {
    return words.holdsUntil(timeText(from), timeText(until))
  }
  if (until !== null) return words.heldUntil(timeText(from), timeText(until))
  return state === "past" ? words.heldOnce(timeText(from)) : words.held(timeText(from))
}
