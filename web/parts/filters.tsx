import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useAddress } from "../address"
import { words } from "../words/en/table"

/** The filters of a list, in one row; on narrow screens below each other. */
export function Filters({ children }: { children: ComponentChildren }) {
  return <search class="filters">{children}</search>
}

/** A filter that is one value of the query. The first option takes it away. */
export function Choice({
  name,
  label,
  options,
  any = words.all,
}: {
  name: string
  label: string
  options: [value: string, text: string][]
  any?: string
}) {
  const id = useId()
  const { query, change } = useAddress()
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={query[name] === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const PAUSE_MS = 250
let timer: Timer | undefined

/** A text or date filter that follows what is typed. */
export function TextFilter({
  name,
  label,
  type = "text",
}: {
  name: string
  label: string
  type?: "text" | "search" | "date"
}) {
  const id = useId()
  const { query, change } = useAddress()
  const follow = (value: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => change({ [name]: value.trim() }, { replaces: true }), PAUSE_MS)
  }
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        defaultValue={query[name] ?? ""}
        onInput={({ currentTarget }) => follow(currentTarget.value)}
      />
    </div>
  )
}
