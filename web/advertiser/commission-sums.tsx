import { useAddress } from "../address"
import type { Answer } from "../client"
import { countText, moneyText } from "../parts/money"
import { words } from "../words/en/commissions"

type Sum = Answer<"sumCommissions">["data"][number]

const STATUSES = ["pending", "approved", "paid", "rejected", "reversed", "refunded"] as const

/** The states, each with its number and sums by currency: links that narrow the list to it. */
export function CommissionSums({ sums }: { sums: Sum[] }) {
  const { query, hrefWith } = useAddress()
  return (
    <nav class="states" aria-label={words.sums}>
      <State name={words.all} sums={sums} href={hrefWith({ status: null })} isOn={!query.status} />
      {STATUSES.map(status => (
        <State
          key={status}
          name={words.statuses[status]}
          sums={sums.filter(sum => sum.status === status)}
          href={hrefWith({ status })}
          isOn={query.status === status}
        />
      ))}
    </nav>
  )
}

type StateProps = { name: string; sums: Sum[]; href: string; isOn: boolean }

function State({ name, sums, href, isOn }: StateProps) {
  const count = sums.reduce((total, sum) => total + sum.count, 0)
  return (
    <a href={href} aria-current={isOn ? "true" : undefined}>
      <span>
        {name} <b>{countText(count)}</b>
      </span>
      <small>{sumText(sums) || "–"}</small>
    </a>
  )
}

/** "184.10 USD · 5,000 JPY": one sum for each currency, since currencies are never added. */
export function sumText(amounts: { currency: string; amount_cents: number }[]): string {
  const totals = new Map<string, number>()
  for (const { currency, amount_cents } of amounts) {
    totals.set(currency, (totals.get(currency) ?? 0) + amount_cents)
  }
  return [...totals].map(([currency, cents]) => moneyText(cents, currency)).join(" · ")
}
