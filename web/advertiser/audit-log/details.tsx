import type { ComponentChildren } from "preact"
import { moneyText, rateText } from "../../parts/money"
import { dateText } from "../../parts/when"
import { words } from "../../words/en/audit-details"
import { words as keys } from "../../words/en/keys"
import type { Entry } from "../audit-log"
import { useGroupNames } from "../partners/group-names"
import { usePartnerName, usePrograms } from "./names"

type Value = { value: unknown; program_id: number | null; workspace_id: number }

/** The changed fields in words, as they were after the change. */
export function Details({ of, workspace_id }: { of: Entry; workspace_id: number }) {
  const fields = Object.entries(Object(of.details) as object).flatMap(spread)
  return (
    <ul>
      {fields.map(([name, value]) => (
        <li key={name}>
          {words.fields[name] ?? name}:{" "}
          <bdi>
            <Shown name={name} value={value} program_id={of.program_id} {...{ workspace_id }} />
          </bdi>
        </li>
      ))}
    </ul>
  )
}

/** A policy is its price and its terms, each a field. */
function spread([name, value]: [string, unknown]): [string, unknown][] {
  if (name !== "policy" && name !== "commission") return [[name, value]]
  const { kind, rate_bps, amount_cents, products, ...terms } = Object(value) as Price
  return [[name, { kind, rate_bps, amount_cents }], ...Object.entries(terms)]
}

type Price = { kind?: string; rate_bps?: number; amount_cents?: number; products?: unknown }

function Shown({ name, ...of }: Value & { name: string }): ComponentChildren {
  const { value } = of
  if (name === "group_id") return <Group {...of} />
  if (name === "partner_id") return <Partner {...of} />
  if (name === "policy" || name === "commission") return <Policy {...of} />
  if (name === "program_ids" || name === "program_scope") return <Programs {...of} />
  return textOf(name, value)
}

function Group({ value, program_id }: Value): ComponentChildren {
  const groups = useGroupNames(program_id ?? 0)
  return groups.find(([id]) => id === `${value}`)?.[1] ?? `${value}`
}

function Partner({ value, program_id }: Value): ComponentChildren {
  return usePartnerName(program_id, Number(value)) ?? `${value}`
}

function Policy({ value, program_id, workspace_id }: Value): ComponentChildren {
  const program = usePrograms(workspace_id).find(({ id }) => id === program_id)
  const { kind, rate_bps = 0, amount_cents = 0 } = Object(value) as Price
  if (kind === "percent") return words.percent(rateText(rate_bps))
  return words.fixed(moneyText(amount_cents, program?.currency ?? ""))
}

function Programs({ value, workspace_id }: Value): ComponentChildren {
  const programs = usePrograms(workspace_id)
  if (value === null) return words.every
  const nameOf = (id: unknown) => programs.find(each => `${each.id}` === `${id}`)?.name ?? `${id}`
  return (value as unknown[]).map(nameOf).join(", ") || words.none
}

/** A value that needs no look-up. */
function textOf(name: string, value: unknown): string {
  if (name === "duration_months" && value === null) return words.lifetime
  if (name === "duration_months" && value === 0) return words.firstOnly
  if (value === null || value === "") return words.none
  if (name === "logo_hash") return words.changedNow
  if (typeof value === "boolean") return value ? words.yes : words.no
  if (name.endsWith("_at")) return dateText(`${value}`)
  if (name.endsWith("_days")) return words.days(Number(value))
  if (name.endsWith("_hours")) return words.hours(Number(value))
  if (name.endsWith("_months")) return words.months(Number(value))
  if (Array.isArray(value)) return value.map(each => textOf(name, each)).join(", ") || words.none
  if (name === "scopes") return keys.sentences[value as keyof typeof keys.sentences] ?? `${value}`
  if (FREE_TEXTS.includes(name) || typeof value !== "string") return `${value}`
  return words.values[value] ?? value
}

/** What people typed, which is not a name of the API even if it reads like one. */
const FREE_TEXTS = ["name", "reason", "description", "welcome", "slug", "code"]
