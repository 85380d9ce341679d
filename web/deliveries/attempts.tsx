import { When } from "../parts/when"
import { words } from "../words/en/deliveries"
import type { Attempt } from "./delivery"
import { outcomeText } from "./outcome"

/** Each attempt to deliver: when, what was signed, and what the receiver answered. Oldest first. */
export function Attempts({ of }: { of: Attempt[] }) {
  return (
    <section class="stack">
      <h3>{words.attempts}</h3>
      {of.length === 0 ? (
        <p class="quiet-text">{words.notYet}</p>
      ) : (
        <ol class="time-line">
          {of.map((attempt, i) => (
            <li key={attempt.at} class="stack">
              <h4>
                {words.attempt(i + 1)} <When time={attempt.at} />
              </h4>
              <p>{outcomeText(attempt)}</p>
              <Signed headers={attempt.headers} />
              <Excerpt text={attempt.response_excerpt} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Signed({ headers }: Pick<Attempt, "headers">) {
  if (headers === undefined) return null // postbacks are not signed
  if (headers === null) return <p class="quiet-text">{words.notSent}</p>
  return (
    <details>
      <summary>{words.headers}</summary>
      <pre>
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n")}
      </pre>
    </details>
  )
}

function Excerpt({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <>
      <p class="hint">{words.excerpt}</p>
      <pre>{text}</pre>
    </>
  )
}
