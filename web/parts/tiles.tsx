import type { ComponentChildren } from "preact"
import { words } from "../words/en/tiles"
import { percentText } from "./money"

export type Change = { percent: number; direction: "up" | "down" | "stable" }

export function Tiles({ children }: { children: ComponentChildren }) {
  return <dl class="tiles">{children}</dl>
}

/** A number with its name. `full` is the title of a shortened one; `change` compares with the period before. */
export function Tile({
  name,
  value,
  full,
  change,
  href,
}: {
  name: string
  value: string
  full?: string
  change?: Change
  href?: string
}) {
  return (
    <div class="tile">
      <dt>{href ? <a href={href}>{name}</a> : name}</dt>
      <dd>
        <span class="figure" title={full}>
          {value}
        </span>
        {change && (
          <span class="change">{words.change(change.direction, percentText(change.percent))}</span>
        )}
      </dd>
    </div>
  )
}
