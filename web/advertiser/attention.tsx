import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { countText } from "../parts/money"
import { words } from "../words/en/attention"

type Counts = Answer<"showAttention">["data"]

/** What waits for a person, each with its page. Nothing is shown if nothing waits. */
export function Attention({ programId }: { programId: number }) {
  const shown = useAnswer("showAttention", { params: { id: programId } }).data?.data
  const waiting = Object.entries(shown ?? {}) as [keyof Counts, Counts[keyof Counts]][]
  const open = waiting.filter(([, { count }]) => count > 0)
  if (open.length === 0) return null
  return (
    <section class="card attention">
      <h2>{words.title}</h2>
      <ul class="inline">
        {open.map(([name, { count, path }]) => (
          <li key={name}>
            <a href={path}>{words.names[name](count, countText(count))}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
